import { type AWSMachinePool, kinds, type MachinePool } from '../../../../shared/kinds/index.ts';
import { desiredAwsMachine, presentInstances } from '../../../../shared/providers/aws/machine-pool/instances.ts';
import type { ObservedGroup } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { instanceFacts } from '../../../../shared/providers/aws/plan/instance-facts.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { PoolDependencies } from './dependencies.ts';

const CONCURRENCY = 10;

/**
 * Creates an AWSMachine for each instance of the group that has none. The core creates their Machines, and deletes
 * both. Returns whether the group still lists an ended instance: Auto Scaling notices this later than EC2.
 */
export const ensureAwsMachines = async (
  { objects }: Pick<PoolDependencies, 'objects'>,
  pool: MachinePool,
  awsPool: AWSMachinePool,
  group: ObservedGroup,
): Promise<boolean> => {
  const present = await objects.listOfCluster(kinds.awsMachine, pool.metadata.namespace ?? '', pool.spec.clusterName);
  const known = new Map(present.map((machine) => [machine.spec.instanceID, machine]));
  const listed = presentInstances(group);
  const missing = listed.filter(({ id }) => !known.has(id));
  await mapConcurrently(missing, CONCURRENCY, (instance) =>
    objects.ensure(kinds.awsMachine, desiredAwsMachine(pool, awsPool, instance)),
  );
  return listed.some(({ id }) => {
    const machine = known.get(id);
    return machine !== undefined && instanceFacts(machine).gone;
  });
};
