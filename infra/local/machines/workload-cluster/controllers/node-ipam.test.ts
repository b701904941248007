import { expect, it } from 'vitest';
import { systemClock } from '../../../../../shared/clock.ts';
import { createRegistry } from '../../../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../../../shared/random.ts';
import { node } from '../kinds.ts';
import type { Node } from '../objects.ts';
import { reconcilePodBlocks } from './node-ipam.ts';

const start = async (nodes: Readonly<Record<string, string[] | undefined>>) => {
  const storage = createMemoryStorage();
  const registry = createRegistry({ resources: [node], storage, clock: systemClock, random: systemRandom });
  const objects = createObjectClient(registry);
  for (const [name, podCIDRs] of Object.entries(nodes)) {
    const spec = podCIDRs ? { podCIDRs, podCIDR: podCIDRs[0] ?? '' } : {};
    await objects.ensure<Node>(node, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec });
  }
  const blocks = async () =>
    Object.fromEntries((await objects.list<Node>(node)).map(({ metadata, spec }) => [metadata.name, spec?.podCIDRs]));
  return { objects, blocks };
};

it('assigns to each node an unused block from every pod network', async () => {
  const { objects, blocks } = await start({ a: undefined, b: ['192.168.0.0/24', 'fd00::/64'], c: undefined });

  await reconcilePodBlocks(objects, ['192.168.0.0/16', 'fd00::/48']);

  expect(await blocks()).toEqual({
    a: ['192.168.1.0/24', 'fd00:0:0:1::/64'],
    b: ['192.168.0.0/24', 'fd00::/64'],
    c: ['192.168.2.0/24', 'fd00:0:0:2::/64'],
  });
});

it('assigns no block if all are in use', async () => {
  const { objects, blocks } = await start({ a: undefined, b: undefined });

  await reconcilePodBlocks(objects, ['192.168.0.0/24']);

  expect(await blocks()).toEqual({ a: ['192.168.0.0/24'], b: undefined });
});

it('does nothing in a cluster without a pod network', async () => {
  const { objects, blocks } = await start({ a: undefined });

  await reconcilePodBlocks(objects, []);

  expect(await blocks()).toEqual({ a: undefined });
});
