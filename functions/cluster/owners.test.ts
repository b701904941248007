import { expect, it } from 'vitest';
import type { Cluster } from '../../shared/kinds/index.ts';
import type { KubeObject, OwnerReference } from '../../shared/kube-api/object.ts';
import { otherClusterOf } from './owners.ts';

const reference = (kind: string, name: string, apiVersion = 'cluster.x-k8s.io/v1beta2'): OwnerReference => ({
  ...{ apiVersion, kind, name, uid: `uid-${name}` },
});
const object = (...ownerReferences: OwnerReference[]): KubeObject => ({
  ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSCluster' },
  metadata: { name: 'red', namespace: 'default', ownerReferences },
});
const red = { kind: 'Cluster', metadata: { name: 'red', namespace: 'default', uid: 'new' } } as Cluster;
const blue = reference('Cluster', 'blue');

it.each([
  [
    'finds the other Cluster to which an object belongs, in any version',
    object(reference('Cluster', 'blue', 'cluster.x-k8s.io/v1beta1')),
    'blue',
  ],
  ['finds the other Cluster if it is the first of two', object(blue, reference('Cluster', 'red')), 'blue'],
  [
    'finds no other Cluster for an object of the Cluster itself, even with a former uid',
    object(reference('Cluster', 'red')),
    undefined,
  ],
  [
    'finds no other Cluster if the Cluster itself is the first of two',
    object(reference('Cluster', 'red'), blue),
    undefined,
  ],
  ['finds no other Cluster for an object without a Cluster', object(reference('Machine', 'blue')), undefined],
  [
    "finds no other Cluster for an object of a Cluster of Rancher's group",
    object(reference('Cluster', 'blue', 'provisioning.cattle.io/v1')),
    undefined,
  ],
])('%s', (_, owned, name) => {
  expect(otherClusterOf(owned, red)?.name).toBe(name);
});
