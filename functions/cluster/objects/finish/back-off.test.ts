import { expect, it } from 'vitest';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import { useTestDatabase } from '../../test-database.ts';
import { context, makeWorld } from '../test-world.ts';

const database = useTestDatabase();

it("resets the back-off of a stuck cluster after a user's change", async () => {
  const w = await makeWorld(database());
  const cluster = (await w.apply({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { namespace: 'default', name: 'red' },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  } as Cluster)) as Cluster;
  const input = w.inputOf(cluster, 1);
  const failing = async () => {
    await w.work.begin(input.cluster, input.holder, 60);
    return w.steps.finish(input, context);
  };
  const waits: number[] = [];
  for (let pass = 0; pass < 10; pass += 1) waits.push((await failing()).waitSeconds);
  expect(waits.at(-1)).toBe(300);

  await w.work.touch(input.cluster, { isNews: true });
  const after = { ...input, wanted: 2, seen: 2 };
  await w.work.begin(after.cluster, after.holder, 60);
  expect((await w.steps.finish(after, context)).waitSeconds).toBe(1);
});
