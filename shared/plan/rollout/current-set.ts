import type { MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { isObjectPaused } from '../status/paused.ts';

/** JSON with sorted keys, so that the same template gives the same text whatever has written it. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/**
 * The fields of a MachineDeployment's template that require a rollout: version, bootstrap, infrastructure, failure
 * domain. Labels, annotations, timeouts, readiness gates and taints are propagated in place instead (upstream's rollout
 * rule).
 */
export const rolloutFields = ({ spec }: Pick<MachineDeployment, 'spec'> | Pick<MachineSet, 'spec'>): string => {
  const { version, bootstrap, infrastructureRef, failureDomain } = spec.template.spec;
  return canonical({ version, bootstrap, infrastructureRef, failureDomain });
};

const createdAt = ({ metadata }: MachineSet): number => Date.parse(metadata.creationTimestamp ?? '') || 0;

/** `spec.rollout.after` in milliseconds, once that time has passed. */
const passedAfter = ({ spec }: MachineDeployment, now: Date): number | undefined => {
  const after = spec.rollout?.after ? Date.parse(spec.rollout.after) : Number.NaN;
  return after <= now.getTime() ? after : undefined;
};

const SECOND = 1000;

/** Creation times have whole seconds: a set that was created in the same second counts as newer. */
const isSince = (set: MachineSet, after: number): boolean => createdAt(set) >= Math.floor(after / SECOND) * SECOND;

/** Whether `spec.rollout.after` has passed and a set was created before it. */
export const isExpired = (deployment: MachineDeployment, set: MachineSet, now: Date): boolean => {
  const after = passedAfter(deployment, now);
  return after !== undefined && !isSince(set, after);
};

/**
 * The set with more replicas first, so that as few machines as possible are replaced; then the older one; then by name.
 */
const byReplicas = (a: MachineSet, b: MachineSet): number =>
  (b.spec.replicas ?? 0) - (a.spec.replicas ?? 0) ||
  createdAt(a) - createdAt(b) ||
  (a.metadata.name < b.metadata.name ? -1 : 1);

/** The sets of a deployment by their part in a rollout. Sets that are being deleted have none. */
export interface SetRoles {
  /** The set that creates machines from the current template; undefined if there is none yet. */
  current: MachineSet | undefined;
  old: MachineSet[];
}

/**
 * Finds the current set among a deployment's sets: the one with the template's rollout fields, and once
 * `spec.rollout.after` has passed, one that was created since then. A set of an earlier template becomes the current
 * one again when its template comes back (mdutil's FindNewAndOldMachineSets).
 */
export const rolesOf = (deployment: MachineDeployment, sets: readonly MachineSet[], now: Date): SetRoles => {
  const fields = rolloutFields(deployment);
  const live = sets.filter((set) => !set.metadata.deletionTimestamp).sort(byReplicas);
  const current = live.find((set) => rolloutFields(set) === fields && !isExpired(deployment, set, now));
  return { current, old: live.filter((set) => set !== current) };
};

/**
 * Whether a rollout in progress replaces the machines of a set, one of `sets`, which belong to the same deployment: it
 * has an earlier template, and the deployment is neither paused nor waiting for users to delete machines.
 */
export const isRolledOut = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  set: MachineSet,
  now: Date,
): boolean => {
  if (deployment.spec.paused || isObjectPaused(deployment)) return false;
  if (deployment.spec.rollout?.strategy?.type === 'OnDelete') return false;
  const { current } = rolesOf(deployment, sets, now);
  return current !== undefined && current.metadata.name !== set.metadata.name;
};

/** The seed for the name of a deployment's current set: its template and, once it has passed, `spec.rollout.after`. */
export const setSeed = (deployment: MachineDeployment, now: Date): string => {
  const after = passedAfter(deployment, now);
  const rollout = after === undefined ? '' : `/${new Date(after).toISOString()}`;
  return `${deployment.metadata.uid}/${rolloutFields(deployment)}${rollout}`;
};
