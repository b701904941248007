import { compareWithBuilds } from '../../../kinds/rules/bootstrap/compare-builds.ts';
import { TopologyError } from '../error.ts';
import { checkControlPlanePlan, minorOf, planFromVersions, planOneMinor } from './control-plane-plan.ts';
import { checkWorkersPlan, SKEW } from './workers-plan.ts';

/** The remaining versions, in order; empty if there is nothing to upgrade. */
export interface UpgradePlan {
  controlPlane: string[];
  workers: string[];
  /** The oldest version of the workers; undefined if there are none. */
  oldestWorkers: string | undefined;
}

interface Versions {
  desired: string;
  /** Undefined as long as there is no control plane. */
  controlPlane: string | undefined;
  workers: readonly string[];
  /** `spec.kubernetesVersions` of the class. */
  classVersions: readonly string[] | undefined;
  /**
   * Calls an extension, whose plan takes precedence over the versions of the class. If `workers` is empty, the
   * extension has no plan for them.
   */
  askExtension?: ((from: string, workers: string) => Pick<UpgradePlan, 'controlPlane' | 'workers'>) | undefined;
}

/** The oldest version. If two are unordered, it is the one that differs from the control plane's. */
const oldest = (workers: readonly string[], controlPlane: string): string | undefined =>
  workers.reduce<string | undefined>((least, version) => {
    if (least === undefined) return version;
    const order = compareWithBuilds(version, least);
    return order === 'older' || (order === 'unordered' && version !== controlPlane) ? version : least;
  }, undefined);

/** Workers take part in every third step, and in the last one. */
const planWorkers = (plan: readonly string[], { desired }: Versions, controlPlane: string, from: string): string[] => {
  const versions = new Map([controlPlane, ...plan].map((version) => [minorOf(version, 'ControlPlane'), version]));
  const [first, last] = [minorOf(from, 'MachineDeployment'), minorOf(desired, 'Cluster')];
  const steps: string[] = [];
  for (let minor = first + SKEW; minor < last; minor += SKEW) {
    const version = versions.get(minor);
    if (version === undefined)
      throw new TopologyError(`invalid upgrade plan; unable to identify version for minor ${minor}`);
    steps.push(version);
  }
  return steps.at(-1) === desired ? steps : [...steps, desired];
};

const planByClass = (desired: string, controlPlane: string, versions: Versions['classVersions'] = []): string[] =>
  versions.length > 0 ? planFromVersions(versions, desired, controlPlane) : planOneMinor(desired, controlPlane);

/** `from`: the oldest version of workers that are behind. An extension may leave the workers' plan to Windlass. */
const workersOf = (
  given: readonly string[],
  plan: readonly string[],
  versions: Versions,
  from: string | undefined,
): string[] => {
  const { desired, controlPlane = desired } = versions;
  if (from === undefined) {
    if (given.length === 0) return [];
    throw new TopologyError(
      'invalid worker upgrade plan; there are no workers or workers already at the desired version',
    );
  }
  if (given.length === 0) return planWorkers(plan, versions, controlPlane, from);
  checkWorkersPlan(given, { desired, controlPlane, from, plan });
  return [...given];
};

/**
 * The path of a cluster to the version of its topology (exp/topology/desiredstate/upgrade_plan.go): the control plane
 * is upgraded step by step, and the workers as rarely as the skew allows. Throws TopologyError if there is no path.
 */
export const planUpgrade = (versions: Versions): UpgradePlan => {
  const { desired, controlPlane, workers, classVersions } = versions;
  if (controlPlane === undefined) return { controlPlane: [], workers: [], oldestWorkers: undefined };
  minorOf(desired, 'Cluster');
  minorOf(controlPlane, 'ControlPlane');
  for (const version of workers) minorOf(version, 'workers');
  const oldestWorkers = oldest(workers, controlPlane);
  const areWorkersBehind = oldestWorkers !== undefined && compareWithBuilds(oldestWorkers, desired) !== 'same';
  const asked =
    areWorkersBehind || compareWithBuilds(controlPlane, desired) !== 'same'
      ? versions.askExtension?.(controlPlane, oldestWorkers ?? '')
      : undefined;
  const plan = asked?.controlPlane ?? planByClass(desired, controlPlane, classVersions);
  checkControlPlanePlan(plan, desired, controlPlane);
  return {
    controlPlane: plan,
    workers: workersOf(asked?.workers ?? [], plan, versions, areWorkersBehind ? oldestWorkers : undefined),
    oldestWorkers,
  };
};
