import { minorOf } from '../../kinds/rules/bootstrap/upgrade-path.ts';
import { compareVersions } from '../../kinds/rules/bootstrap/version.ts';

/** How many minors a kubelet may be behind its API server. */
const KUBELET_SKEW = 3;

/** A worker, with the fields that an upgrade over several minors uses. */
export interface WorkerFacts {
  name: string;
  version: string;
  /** Its owner's final version. */
  target: string;
}

export interface StageFacts {
  /** `spec.version` of the control plane. */
  target: string;
  path: readonly string[];
  /** The versions of the control plane's machines. */
  machines: readonly string[];
  workers: readonly WorkerFacts[];
  /** Machines whose template names an image, which contains only one version. */
  fixedImages: readonly string[];
}

/** The state of an upgrade: the control plane's current target, and what blocks the next step. */
export interface Stage {
  version: string;
  waits: string[];
}

const some = (names: readonly string[]): string => {
  const shown = [...names].sort().slice(0, 3).join(', ');
  return `Machine${names.length === 1 ? '' : 's'} ${shown}${names.length > 3 ? `, ... (${names.length - 3} more)` : ''}`;
};

/** What must be done before the control plane leaves the version that all of its machines have. */
const obstacles = ({ workers, fixedImages }: StageFacts, reached: string, next: string): string[] => {
  const named = (list: readonly WorkerFacts[]) => some(list.map(({ name }) => name));
  const behind = workers.filter(
    ({ version, target }) => minorOf(version) < minorOf(reached) && minorOf(target) > minorOf(version),
  );
  const old = workers.filter((one) => !behind.includes(one) && minorOf(one.version) < minorOf(next) - KUBELET_SKEW);
  return [
    ...(behind.length > 0 ? [`* ${named(behind)} must be upgraded to ${reached} first`] : []),
    ...(old.length > 0 ? [`* ${named(old)} would be more than ${KUBELET_SKEW} minors behind ${next}`] : []),
    ...(fixedImages.length > 0
      ? [`* The image of ${some(fixedImages)} is named by its template (spec.ami.id), so it has only one version`]
      : []),
  ];
};

/**
 * The current target version of a control plane, on its way to `spec.version`: one minor version above the lowest of
 * its machines, and that only after the workers have followed. It is derived from the current state, so that the
 * upgrade continues after any interruption, and a started step is completed.
 */
export const stageOf = (facts: StageFacts): Stage => {
  const { target, path, machines } = facts;
  const [reached, ...others] = [...machines].sort(compareVersions);
  if (!reached || minorOf(target) <= minorOf(reached)) return { version: target, waits: [] };
  const minor = minorOf(reached) + 1;
  const next = minor === minorOf(target) ? target : path.find((version) => minorOf(version) === minor);
  const begun = others.findLast((version) => minorOf(version) === minor);
  if (begun) return { version: next ?? begun, waits: [] };
  if (!next) {
    const major = `v1.${minor}`;
    return { version: reached, waits: [`* No version of ${major} is given on the way from ${reached} to ${target}`] };
  }
  const waits = path.length > 0 ? obstacles(facts, reached, next) : [];
  return { version: waits.length > 0 ? reached : next, waits };
};

/** The version that workers are to have now: they follow the control plane by each of its minors. */
export const workerVersion = (target: string, current: string | undefined, reached: string): string => {
  if (minorOf(target) <= minorOf(reached)) return target;
  return current === undefined || minorOf(current) < minorOf(reached) ? reached : current;
};
