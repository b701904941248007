import { minorOf } from '../../kinds/rules/bootstrap/upgrade-path.ts';
import { compareVersions } from '../../kinds/rules/bootstrap/version.ts';

/** How many minor versions a kubelet may be behind its API server. */
const KUBELET_SKEW = 3;

/** The facts about a worker that an upgrade over several minor versions needs. */
export interface WorkerFacts {
  name: string;
  version: string;
  /** The final version of its owner. */
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

/** What must be done before the control plane is upgraded from the version that all of its machines have. */
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
 * The current target version of a control plane on its way to `spec.version`: one minor version above the lowest
 * version of its machines, but only after the workers have followed. It is derived from the current state, so that the
 * upgrade continues after any interruption and a started step is completed.
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

/** The version that workers should currently have: they follow the control plane through each of its minor versions. */
export const workerVersion = (target: string, current: string | undefined, reached: string): string => {
  if (minorOf(target) <= minorOf(reached)) return target;
  return current === undefined || minorOf(current) < minorOf(reached) ? reached : current;
};
