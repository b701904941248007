import { expect, it } from 'vitest';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { fail } from './finish.ts';

const namespace = 'default';
const ref = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'one' };

/** The report about a machine whose provisioning ended in this way, and whether its cluster gets another pass. */
const endedBy = async (name: string) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const options = { resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom };
  const objects = createObjectClient(createRegistry(options));
  const { object } = await objects.ensure(kinds.machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'one', namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
    spec: { clusterName: 'red', bootstrap: { dataSecretName: 'one' }, infrastructureRef: ref },
  } as never);
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
  return { said: events.map(({ type, reason, message }) => [type, reason, message]), touched, pauses };
};

it('a launch that waits for its turn to call AWS is not reported as a failure, and is retried after a pause', async () => {
  expect(await endedBy('Throttled')).toEqual({
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
