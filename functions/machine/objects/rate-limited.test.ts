import { expect, it } from 'vitest';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { fail } from './finish.ts';

const namespace = 'default';
const ref = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'one' };

const startDeletion = async (objects: ObjectClient, { reason, message }: { reason: string; message: string }) => {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'Deleting', status: 'True' as const, reason, message, lastTransitionTime };
  await objects.mutate(kinds.machine, { namespace, name: 'one' }, (machine) => ({
    ...machine,
    status: { ...machine.status, conditions: [condition] },
  }));
  await objects.delete(kinds.machine, { namespace, name: 'one' });
};

/**
 * The report about a machine whose provisioning, or deletion, ended in this way, and whether its cluster gets another
 * pass.
 */
const endedBy = async (name: string, deleting?: { reason: string; message: string }) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const options = { resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom };
  const objects = createObjectClient(createRegistry(options));
  const { object } = await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'one', namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'red' }, finalizers: ['a.b/c'] },
    spec: { clusterName: 'red', bootstrap: { dataSecretName: 'one' }, infrastructureRef: ref },
  } as never);
  if (deleting) await startDeletion(objects, deleting);
  const touched: string[] = [];
  const pauses: number[] = [];
  const deps = {
    ...{ objects, clock },
    work: { extendMachine: async (...[, , seconds]: [unknown, unknown, number]) => pauses.push(seconds) > 0 },
    touch: async (cluster: { name: string }) => touched.push(cluster.name),
  } as unknown as MachineObjectsDependencies;
  const machine = { namespace, name: 'one', uid: object.metadata.uid ?? '', clusterName: 'red', clusterUid: 'c' };
  const Cause = JSON.stringify({ errorMessage: 'RunInstances waits for its turn' });
  await fail(deps)({ machine, holder: 'x', failure: { Error: name, Cause } });
  const events = await objects.list(kinds.event, namespace);
  const { status } = (await objects.get(kinds.machine, { namespace, name: 'one' })) ?? {};
  const condition = status?.conditions?.find(({ type }) => type === 'Deleting');
  return { said: events.map(({ type, reason, message }) => [type, reason, message]), touched, pauses, condition };
};

it('a launch that waits for its turn to call AWS is not reported as a failure, and is retried after a pause', async () => {
  expect(await endedBy('Throttled')).toMatchObject({
    said: [['Normal', 'RateLimited', 'RunInstances waits for its turn']],
    touched: ['red'],
    pauses: [20],
  });
});

it('a launch that AWS refuses is reported as a failure of the machine', async () => {
  expect((await endedBy('Refused')).said).toEqual([
    ['Warning', 'FailedProvision', 'Refused: RunInstances waits for its turn'],
  ]);
});

it('a deletion that AWS refuses is reported as one, in an event and in the stage that it has reached', async () => {
  const { said, condition } = await endedBy('Refused', { reason: 'DeletingNode', message: '' });
  const message = 'Refused: RunInstances waits for its turn';
  expect(said).toEqual([['Warning', 'FailedDelete', message]]);
  expect(condition).toMatchObject({ status: 'True', reason: 'DeletingNode', message });
});

it('a step that has reported why the deletion failed is not overruled', async () => {
  const deleting = {
    reason: 'WaitingForInfrastructureDeletion',
    message: 'Waiting for AWSMachine: RunInstances waits for its turn (request 1)',
  };
  expect((await endedBy('Refused', deleting)).condition).toMatchObject(deleting);
});
