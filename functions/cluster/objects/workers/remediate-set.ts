import { distributionOf } from '../../../../shared/distributions/registry.ts';
import { kinds, type Machine, type MachineSet } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withoutNeedlessRemediation } from '../../../../shared/plan/health/machine.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import type { ConditionClaim } from '../../../../shared/plan/status/conditions.ts';
import { preflight } from '../../../../shared/plan/workers/preflight.ts';
import {
  isStillWanted,
  machinesToRemediate,
  planSetRemediation,
  type SetRemediationFacts,
} from '../../../../shared/plan/workers/remediation.ts';
import { type ClusterSnapshot, isControlledBy } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { machineSetRecorder } from '../reasons.ts';

/**
 * Deletes unhealthy machines of a set that health checks have marked and that may be replaced now. Returns the set's
 * updated machines.
 */
export const remediateSet = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
  machines: readonly Machine[],
): Promise<Machine[]> => {
  const cleared = await Promise.all(machines.map((machine) => clear(deps, machine)));
  if (machinesToRemediate(cleared).length === 0) return cleared;
  const owner = ownerOf(deps, snapshot, set);
  const plan = planSetRemediation({
    machines: cleared,
    ...(owner ? { owner } : {}),
    preflight: await failedChecks(deps, snapshot, set),
  });
  const claimed = await Promise.all(plan.say.map(({ machine, claim }) => writeClaim(deps, machine, claim)));
  const gone = await Promise.all(plan.remove.map((machine) => remove(deps, set, machine)));
  const changed = new Map([...claimed, ...gone].flatMap((now) => (now ? [[now.metadata.uid, now] as const] : [])));
  const removed = new Set(plan.remove.filter((_, at) => !gone[at]).map(({ metadata }) => metadata.uid));
  return cleared
    .filter(({ metadata }) => !removed.has(metadata.uid))
    .map((machine) => changed.get(machine.metadata.uid) ?? machine);
};

const clear = async ({ objects }: ObjectsDependencies, machine: Machine): Promise<Machine> =>
  withoutNeedlessRemediation(machine)
    ? ((await objects.mutate(kinds.machine, keyOf(machine), withoutNeedlessRemediation)) ?? machine)
    : machine;

const ownerOf = (
  { clock }: ObjectsDependencies,
  { deployments, sets }: ClusterSnapshot,
  set: MachineSet,
): SetRemediationFacts['owner'] => {
  const deployment = deployments.find((candidate) => isControlledBy(set, candidate));
  if (!deployment) return undefined;
  const owned = sets.filter((other) => isControlledBy(other, deployment));
  return { deployment, isCurrent: isStillWanted(deployment, owned, set, clock.now()) };
};

const failedChecks = async (
  { objects }: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  set: MachineSet,
): Promise<string[]> => {
  const { configRef } = set.spec.template.spec.bootstrap;
  const distribution = distributionOf('configTemplate', configRef);
  const key = { namespace: set.metadata.namespace ?? '', name: configRef?.name ?? '' };
  return preflight(set, snapshot, distribution && (await objects.get(distribution.configTemplate, key)));
};

const writeClaim = ({ objects, clock }: ObjectsDependencies, machine: Machine, claim: ConditionClaim) =>
  objects.mutate(kinds.machine, keyOf(machine), (current) =>
    withObservation(current, { health: [claim] }, clock.now()),
  );

const remove = async (deps: ObjectsDependencies, set: MachineSet, machine: Machine): Promise<Machine | undefined> => {
  await deps.objects.delete(kinds.machine, machine);
  const message = `Deleted Machine ${machine.metadata.name} because it is unhealthy`;
  await machineSetRecorder(deps).normal(set, 'SuccessfulDelete', message);
  return deps.objects.get(kinds.machine, keyOf(machine));
};
