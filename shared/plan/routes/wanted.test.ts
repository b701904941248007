import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { isRoutesNews, ROUTES_ENTRY, routesDigest } from './digest.ts';
import { wantedRoutes } from './wanted.ts';

const NETWORK = ['192.168.0.0/16', 'fd00::/48'];

const nodeOf = (name: string, podCIDRs: string[], age = 0): V1Node => ({
  metadata: { name, creationTimestamp: new Date(age) },
  spec: { providerID: `aws:///a/i-${name}`, podCIDRs },
});

describe('the routes that nodes want', () => {
  it('are for their IPv4 blocks, in canonical form', () => {
    const { wanted, refused } = wantedRoutes([nodeOf('a', ['192.168.3.7/24', 'fd00::/64']), nodeOf('b', [])], NETWORK);

    expect(wanted).toEqual([{ name: 'a', providerId: 'aws:///a/i-a', block: '192.168.3.0/24' }]);
    expect(refused).toMatchObject([{ name: 'a', block: 'fd00::/64', retry: 'never' }]);
  });

  it.each([
    ['the older node', 'b', 0],
    ['the first by name of two of the same age', 'a', 1],
  ])('go to %s if two nodes want the same block', (_, winner, age) => {
    const nodes = [nodeOf('a', ['192.168.0.0/24'], 1), nodeOf('b', ['192.168.0.128/25'], age)];

    expect(wantedRoutes(nodes, NETWORK).wanted.map(({ name }) => name)).toEqual([winner]);
    expect(wantedRoutes(nodes.toReversed(), NETWORK).wanted.map(({ name }) => name)).toEqual([winner]);
  });

  it('are limited to a thousand, and to two for each node, however many a hostile API server lists', () => {
    const blocks = (index: number) => [0, 1, 2].map((part) => `10.${part}.${index >> 8}.${index & 255}/32`);
    const nodes = Array.from({ length: 20_000 }, (_, index) => nodeOf(`n${index}`, blocks(index)));

    const { wanted, refused } = wantedRoutes(nodes, ['10.0.0.0/8']);

    expect(wanted).toHaveLength(1000);
    expect(refused).toHaveLength(39_000);
    expect(refused.at(-1)?.message).toBe('a cluster gets routes for at most 1000 blocks');
  });
});

it('routes are planned again if the nodes or the pod network change', () => {
  const nodes = [nodeOf('a', ['192.168.0.0/24']), nodeOf('waits', [])];
  const annotations = { [ROUTES_ENTRY]: routesDigest(nodes, NETWORK) };
  const settled = { metadata: { name: 'red', annotations } };

  expect(isRoutesNews(settled, nodes.slice(0, 1), NETWORK, false)).toBe(false);
  expect(isRoutesNews(settled, [nodeOf('a', ['192.168.1.0/24'])], NETWORK, false)).toBe(true);
  expect(isRoutesNews(settled, [], NETWORK, false)).toBe(true);
  expect(isRoutesNews(settled, nodes, ['192.168.0.0/20'], false)).toBe(true);
});
