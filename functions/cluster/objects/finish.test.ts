import { expect, it } from 'vitest';
import { type Cluster, type ClusterResourceSetBinding, kinds } from '../../../shared/kinds/index.ts';
import { newBinding, withFaults } from '../../../shared/plan/addons/binding.ts';
import { useTestDatabase } from '../test-database.ts';
import { context, makeWorld } from './test-world.ts';

const database = useTestDatabase();

const available = {
  type: 'Available',
  status: 'True',
  reason: 'Available',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

it('starts another pass for a cluster that lacks only add-ons', async () => {
  const w = await makeWorld(database());
  const key = { namespace: 'default', name: 'red' };
  const cluster = (await w.apply({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: key,
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  } as Cluster)) as Cluster;
  await w.objects.mutate(
    kinds.cluster,
    key,
    (current) => ({ ...current, status: { conditions: [available] } }) as Cluster,
  );
  const input = w.inputOf(cluster, 1);
  const finish = async () => {
    await w.work.begin(input.cluster, input.holder, 60);
    return w.steps.finish(input, context);
  };
  expect(await finish()).toMatchObject({ waitSeconds: 0 });

  const fault = { cni: { reason: 'ApplyFailed', message: 'no such kind' } } as const;
  await w.objects.ensure<ClusterResourceSetBinding>(
    kinds.clusterResourceSetBinding,
    withFaults(newBinding(cluster), fault),
  );
  expect([(await finish()).waitSeconds, (await finish()).waitSeconds]).toEqual([1, 2]);

  // The change may fix what the passes failed on.
  await w.work.touch(input.cluster, { isNews: true });
  expect(await finish()).toMatchObject({ waitSeconds: 1 });

  await w.objects.mutate(kinds.clusterResourceSetBinding, key, (current) => withFaults(current, {}));
  expect(await finish()).toMatchObject({ waitSeconds: 0 });
});
