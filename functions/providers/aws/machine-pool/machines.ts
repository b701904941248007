import { DRAIN_HOOK } from '../../../../shared/kinds/aws-machine-pool/hook-names.ts';
import { type AWSMachine, type AWSMachinePool, kinds, type MachinePool } from '../../../../shared/kinds/index.ts';
import { desiredAwsMachine, presentInstances } from '../../../../shared/providers/aws/machine-pool/instances.ts';
import type { GroupInstance, ObservedGroup } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { instanceFacts } from '../../../../shared/providers/aws/plan/instance-facts.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { PoolDependencies } from './dependencies.ts';

const CONCURRENCY = 10;

/**
 * Creates an AWSMachine for each instance of the group that has none. The core creates their Machines, and deletes
 * both. Also ends waits for drains that will not take place. Returns whether the group still lists an ended instance:
 * Auto Scaling notices this later than EC2.
 */
export const ensureAwsMachines = async (
  deps: Pick<PoolDependencies, 'objects' | 'groups'>,
  pool: MachinePool,
  awsPool: AWSMachinePool,
  group: ObservedGroup,
): Promise<boolean> => {
  const { objects } = deps;
  const present = await objects.listOfCluster(kinds.awsMachine, pool.metadata.namespace ?? '', pool.spec.clusterName);
  const known = new Map(present.map((machine) => [machine.spec.instanceID, machine]));
  const listed = presentInstances(group);
  const missing = listed.filter(({ id }) => !known.has(id));
  await mapConcurrently(missing, CONCURRENCY, (instance) =>
    objects.ensure(kinds.awsMachine, desiredAwsMachine(pool, awsPool, instance)),
  );
  await endVainWaits(deps, { pool, awsPool, group }, known);
  return listed.some(({ id }) => {
    const machine = known.get(id);
    return machine !== undefined && instanceFacts(machine).gone;
  });
};

interface PoolGroup {
  pool: MachinePool;
  awsPool: AWSMachinePool;
  group: ObservedGroup;
}

/**
 * Ends the wait of instances that are terminated in EC2, or of which no AWSMachine and no Machine is left. If EC2 has
 * terminated an instance before its group, the group begins to wait only afterwards, when no drain follows any more.
 */
const endVainWaits = async (
  { objects, groups }: Pick<PoolDependencies, 'objects' | 'groups'>,
  at: PoolGroup,
  known: ReadonlyMap<string | undefined, AWSMachine>,
): Promise<void> => {
  const { name, instances } = at.group;
  const waiting = instances.filter(({ state }) => state === 'Terminating:Wait');
  const isGone = ({ id }: GroupInstance) => {
    const machine = known.get(id);
    return machine !== undefined && instanceFacts(machine).gone;
  };
  const lost = waiting.filter(({ id }) => !known.has(id));
  const vain = [...waiting.filter(isGone), ...(lost.length > 0 ? await withoutMachine({ objects }, at, lost) : [])];
  await mapConcurrently(vain, CONCURRENCY, ({ id }) => groups.endWait(name, DRAIN_HOOK, id));
};

/** The instances without a Machine: a Machine whose AWSMachine was removed despite its finalizer may still be drained. */
const withoutMachine = async (
  { objects }: Pick<PoolDependencies, 'objects'>,
  { pool, awsPool }: PoolGroup,
  instances: readonly GroupInstance[],
): Promise<GroupInstance[]> => {
  const machines = await objects.listOfCluster(kinds.machine, pool.metadata.namespace ?? '', pool.spec.clusterName);
  const names = new Set(machines.map(({ spec }) => spec.infrastructureRef.name));
  const ids = new Set(machines.map(({ spec }) => spec.providerID?.split('/').at(-1)));
  return instances.filter((one) => !ids.has(one.id) && !names.has(desiredAwsMachine(pool, awsPool, one).metadata.name));
};
