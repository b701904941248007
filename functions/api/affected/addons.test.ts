import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { affectedByAddons, type ReadKind } from './addons.ts';
import type { Item } from './clusters.ts';

const item = (
  kind: keyof typeof kinds,
  name: string,
  rest: object = {},
  labels: Record<string, string> = {},
): Item => ({
  resource: kinds[kind] as ResourceDefinition,
  object: { apiVersion: 'v1', kind, metadata: { name, namespace: 'default', labels }, ...rest } as KubeObject,
});
const set = (name: string, resources: object[]) =>
  item('clusterResourceSet', name, { spec: { clusterSelector: { matchLabels: { cni: 'x' } }, resources } });

const there = [
  item('cluster', 'red', { spec: {} }, { cni: 'x' }),
  item('cluster', 'blue', { spec: {} }, { cni: 'y' }),
  item('cluster', 'green', { spec: {} }),
  item('clusterResourceSetBinding', 'blue', {
    spec: { clusterName: 'blue', bindings: [{ clusterResourceSetName: 'cni' }] },
  }),
  set('cni', [
    { kind: 'ConfigMap', name: 'calico' },
    { kind: 'Secret', name: 'keys' },
  ]),
];

const ask = async (written: Item) => {
  let reads = 0;
  const read = async (resource: ResourceDefinition) => {
    reads += 1;
    return there.filter((one) => one.resource === resource).map(({ object }) => object);
  };
  return { clusters: (await affectedByAddons(written, read as ReadKind)).sort(), reads };
};
const secret = (type: string) => item('secret', 'keys', { type });

describe('the clusters that a write affects through add-ons', () => {
  it.each([
    { why: 'the set selects one, and another has its resources', written: set('cni', []), clusters: ['blue', 'red'] },
    { why: 'a set names the ConfigMap', written: item('configMap', 'calico'), clusters: ['blue', 'red'] },
    {
      why: 'a set names the Secret',
      written: secret('addons.cluster.x-k8s.io/resource-set'),
      clusters: ['blue', 'red'],
    },
    { why: 'a Secret of another type is no manifest', written: secret('Opaque'), clusters: [] },
    { why: 'no set names it', written: item('configMap', 'keys'), clusters: [] },
  ])('$clusters: $why', async ({ written, clusters }) => {
    expect((await ask(written)).clusters).toEqual(clusters);
  });

  it('are found without a read for objects that are not part of a set', async () => {
    expect((await ask(item('machine', 'm'))).reads).toBe(0);
    expect((await ask(secret('Opaque'))).reads).toBe(0);
    expect((await ask(item('configMap', 'other'))).reads).toBe(1);
  });
});
