import { expect, it } from 'vitest';
import { type Cluster, kinds, type Machine, type MachineDeployment } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import { context } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { type ManagedCluster, makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();

/** Makes the cluster available, as if the API server had responded. */
const makeAvailable = ({ objects, input, clock }: ManagedCluster) =>
  objects.mutate(kinds.cluster, input.cluster, ({ status, ...rest }): Cluster => {
    const available = { type: 'Available', status: 'True', reason: 'Available', message: '' } as const;
    return {
      ...rest,
      status: { ...status, conditions: withConditions(status?.conditions, [available], 1, clock.now()) },
    };
  });

/** Removes the Machine, as its execution does at the end. */
const remove = async ({ objects }: ManagedCluster, machine: Machine): Promise<void> => {
  await objects.mutate(kinds.machine, keyOf(machine), ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({
    ...rest,
    metadata,
  }));
  await objects.delete(kinds.machine, keyOf(machine));
};

const removeWithMachines = async (managed: ManagedCluster, deployment: MachineDeployment): Promise<void> => {
  const { objects, steps, input } = managed;
  await objects.delete(kinds.machineDeployment, keyOf(deployment));
  await steps.workers(input, context);
  for (const machine of await managed.listed(kinds.machine))
    if (machine.metadata.labels?.[LABEL.deploymentName]) await remove(managed, machine);
  await steps.workers(input, context);
};

it('re-creates a MachineDeployment of a topology that a user deletes, as soon as it is gone', async () => {
  const managed = await makeManagedCluster(database());
  await managed.becomeReady();
  await makeAvailable(managed);
  const { steps, work, input } = managed;
  const finish = async () => {
    await work.begin(input.cluster, input.holder, 60);
    return (await steps.finish(input, context)).waitSeconds;
  };
  const deployments = () => managed.listed(kinds.machineDeployment);
  expect(await finish()).toBe(0);
  const [deleted] = await deployments();
  if (deleted) await removeWithMachines(managed, deleted);
  expect(await deployments()).toEqual([]);
  expect(await finish()).toBe(1);
  await managed.begin();
  const again = await deployments();
  expect(again.map(({ metadata }) => metadata.labels)).toEqual([deleted?.metadata.labels]);
  expect(again[0]?.metadata.uid).not.toBe(deleted?.metadata.uid);
});
