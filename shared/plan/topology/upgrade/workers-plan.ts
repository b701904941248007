import { compareWithBuilds } from '../../../kinds/rules/bootstrap/compare-builds.ts';
import { TopologyError } from '../error.ts';
import { minorOf } from './control-plane-plan.ts';

/** Workers may be three minor versions behind the control plane. */
export const SKEW = 3;

interface Bounds {
  desired: string;
  controlPlane: string;
  /** The oldest version of the workers. */
  from: string;
  /** The plan of the control plane. */
  plan: readonly string[];
}

const named = (version: string): string => `v${version.replace(/^v/, '')}`;

const checkOrder = (version: string, at: string, { controlPlane, plan }: Bounds, what: string): void => {
  const order = compareWithBuilds(version, at);
  if (order === 'older' || order === 'same') {
    throw new TopologyError(`${what}; version ${version} must be greater than ${named(at)}`);
  }
  if (order !== 'unordered') return;
  const all = [controlPlane, ...plan];
  if (all.indexOf(version) < all.indexOf(named(at))) {
    throw new TopologyError(`${what}; version ${version} must be before ${named(at)}`);
  }
};

const checkStep = (version: string, at: string, bounds: Bounds, index: number): void => {
  const what = `invalid workers upgrade plan, item ${index}`;
  const [minor, next] = [minorOf(at, 'workers'), minorOf(version, 'workers')];
  checkOrder(version, at, bounds, what);
  if (next - minor <= SKEW) return;
  const step = `workers cannot go from minor ${minor} (${named(at)}) to minor ${next} (${version})`;
  const why = 'an intermediate step is required to comply with Kubernetes version skew rules';
  throw new TopologyError(`${what}; ${step}, ${why}`);
};

/**
 * Throws TopologyError for a plan of the workers that departs from the control plane's, goes back, lets workers fall
 * too far behind, or does not end with the desired version (DefaultAndValidateUpgradePlans).
 */
export const checkWorkersPlan = (steps: readonly string[], bounds: Bounds): void => {
  const { plan, controlPlane, desired, from } = bounds;
  const others = steps.filter((version) => version !== controlPlane && !plan.includes(version));
  if (plan.length > 0 && others.length > 0) {
    throw new TopologyError(
      `invalid workers upgrade plan: versions ${[...new Set(others)].join(',')} doesn't match any versions in the control plane upgrade plan nor the control plane version`,
    );
  }
  let at = from;
  for (const [index, version] of steps.entries()) {
    checkStep(version, at, bounds, index);
    at = version;
  }
  if (compareWithBuilds(at, desired) !== 'same') {
    throw new TopologyError(
      `invalid workers upgrade plan; workers upgrade plan must end with version ${desired}, ends with ${named(at)} instead`,
    );
  }
};
