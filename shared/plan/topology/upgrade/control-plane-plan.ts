import { compareWithBuilds } from '../../../kinds/rules/bootstrap/compare-builds.ts';
import { compareVersions, parseVersion } from '../../../kinds/rules/bootstrap/version.ts';
import { TopologyError } from '../error.ts';

/** The minor version. Throws TopologyError for an invalid version. */
export const minorOf = (version: string, whose: string): number => {
  const parsed = parseVersion(version);
  if (!parsed) throw new TopologyError(`failed to parse ${whose} version ${version}`);
  return parsed.minor;
};

const withoutPrefix = (version: string): string => version.replace(/^v/, '');

/** A single step, of at most one minor version, for classes without a list of versions. */
export const planOneMinor = (desired: string, current: string): string[] => {
  if (withoutPrefix(desired) === withoutPrefix(current)) return [];
  if (minorOf(desired, 'Cluster') > minorOf(current, 'ControlPlane') + 1) {
    throw new TopologyError(`cannot compute an upgrade plan from ${current} to ${desired}`);
  }
  return [desired];
};

/** The versions of the class up to the desired one, inclusive. */
const candidates = (versions: readonly string[], desired: string, current: string): string[] => {
  const found: string[] = [];
  for (const version of versions) {
    if (compareVersions(version, current) <= 0) continue;
    if (compareWithBuilds(version, desired) === 'newer') break;
    found.push(version);
    if (withoutPrefix(version) === withoutPrefix(desired)) break;
  }
  return found;
};

/**
 * The plan through the last version of each minor version in the class's list (GetUpgradePlanFromClusterClassVersions).
 */
export const planFromVersions = (versions: readonly string[], desired: string, current: string): string[] => {
  if (withoutPrefix(desired) === withoutPrefix(current)) return [];
  const found = candidates(versions, desired, current);
  const [first] = found;
  if (first === undefined) return [];
  let minor = minorOf(current, 'ControlPlane');
  const plan = minor === minorOf(desired, 'Cluster') ? [first] : [];
  for (const version of found) {
    const next = minorOf(version, 'ClusterClass');
    if (next > minor) plan.push(version);
    else if (next === minor && plan.length > 0) plan[plan.length - 1] = version;
    minor = next;
  }
  return plan;
};

/** Throws TopologyError if a plan goes back, skips a minor version, or does not end with the desired version. */
export const checkControlPlanePlan = (plan: readonly string[], desired: string, current: string): void => {
  const what = 'invalid ControlPlane upgrade plan';
  if (compareWithBuilds(current, desired) === 'same') {
    if (plan.length === 0) return;
    throw new TopologyError(`${what}: control plane is already at the desired version`);
  }
  let at = current;
  for (const [index, version] of plan.entries()) {
    const [minor, next] = [minorOf(at, 'ControlPlane'), minorOf(version, 'ControlPlane')];
    if (['older', 'same'].includes(compareWithBuilds(version, at))) {
      throw new TopologyError(`${what}: item ${index}; version ${version} must be greater than v${withoutPrefix(at)}`);
    }
    if (next !== minor && next !== minor + 1) {
      const wanted = `expecting a version with minor ${minor} or ${minor + 1}, found version ${version}`;
      throw new TopologyError(`${what}: item ${index}; ${wanted}`);
    }
    at = version;
  }
  if (compareWithBuilds(at, desired) !== 'same') {
    const end = `control plane upgrade plan must end with version ${desired}, ends with v${withoutPrefix(at)} instead`;
    throw new TopologyError(`${what}: ${end}`);
  }
};
