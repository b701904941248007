import { beforeEach, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();
const KEY = { namespace: 'default', name: 'quickstart' };

/** A finalizer of another system, such as a backup tool. */
const HOLD = 'example.com/hold';

let w: World;
let input: ConvergeInput;

const change = <T extends KubeObject>(resource: ResourceDefinition<T>, object: T, finalizers: readonly string[]) =>
  w.objects.mutate(resource, object, ({ metadata, ...rest }) => ({
    ...(rest as T),
    metadata: { ...metadata, finalizers: [...finalizers] },
  }));

const machines = () => w.objects.listOfCluster(kinds.machine, KEY.namespace, KEY.name);

/** Each kind with the number of its objects, and a mark if they are being deleted. */
const state = async (): Promise<string[]> => {
  const all = await machines();
  const lists: [string, KubeObject[]][] = [
    ['deployments', await w.objects.list(kinds.machineDeployment, KEY.namespace)],
    ['sets', await w.objects.list(kinds.machineSet, KEY.namespace)],
    ['workers', all.filter((machine) => !isControlPlaneMachine(machine))],
    ['control plane', await w.objects.list(kinds.kubeadmControlPlane, KEY.namespace)],
    ['its machines', all.filter(isControlPlaneMachine)],
    ['infrastructure', await w.objects.list(kinds.awsCluster, KEY.namespace)],
    ['cluster', await w.objects.list(kinds.cluster, KEY.namespace)],
  ];
  return lists
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => {
      const going = list.filter(({ metadata }) => metadata.deletionTimestamp).length;
      return `${name}: ${list.length}${going === list.length ? ' going' : ''}`;
    });
};

const passes = async (): Promise<string[]> => {
  for (let round = 0; round < 3; round += 1) {
    const { done } = await w.steps.teardown(input, context);
    // Nothing else is removed until the machines are gone; there is no step for the network here.
    if (!done) await w.steps.report(input, context);
  }
  return state();
};

/** Removes the finalizers, as the machines' executions and the other system do at the end. */
const release = async (isMeant: (machine: KubeObject) => boolean): Promise<void> => {
  for (const machine of (await machines()).filter(isMeant)) await change(kinds.machine, machine, []);
};

beforeEach(async () => {
  w = await makeWorld(database());
  input = await beginCluster(w);
  await pass(w, input);
  for (const machine of await machines())
    await change(kinds.machine, machine, [...(machine.metadata.finalizers ?? []), HOLD]);
  const infrastructure = await w.objects.get(kinds.awsCluster, KEY);
  if (infrastructure) await change(kinds.awsCluster, infrastructure, [HOLD]);
  await w.objects.delete(kinds.cluster, KEY);
});

it('deletes workers, then the control plane, then the infrastructure, and waits for finalizers of others', async () => {
  const later = ['control plane: 1', 'its machines: 3', 'infrastructure: 1', 'cluster: 1 going'];
  expect(await passes()).toEqual(['deployments: 1 going', 'sets: 1 going', 'workers: 3 going', ...later]);

  await release((machine) => !isControlPlaneMachine(machine));
  const last = ['infrastructure: 1', 'cluster: 1 going'];
  expect(await passes()).toEqual(['control plane: 1 going', 'its machines: 3 going', ...last]);

  await release(isControlPlaneMachine);
  expect(await passes()).toEqual(['infrastructure: 1 going', 'cluster: 1 going']);
  await w.steps.report(input, context);
  expect(await state()).toEqual(['infrastructure: 1 going', 'cluster: 1 going']);

  const infrastructure = await w.objects.get(kinds.awsCluster, KEY);
  if (infrastructure) await change(kinds.awsCluster, infrastructure, []);
  await w.steps.report(input, context);
  expect(await state()).toEqual([]);
});
