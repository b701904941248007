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
  ['another Cluster, in any version', object(reference('Cluster', 'blue', 'cluster.x-k8s.io/v1beta1')), 'blue'],
  ['the first of two Clusters', object(blue, reference('Cluster', 'red')), 'blue'],
  ['itself, also with a former uid', object(reference('Cluster', 'red')), undefined],
  ['itself before another Cluster', object(reference('Cluster', 'red'), blue), undefined],
  ['no Cluster', object(reference('Machine', 'blue')), undefined],
  ["a Cluster of Rancher's group", object(reference('Cluster', 'blue', 'provisioning.cattle.io/v1')), undefined],
])('finds the other Cluster of an object that belongs to %s', (_, owned, name) => {
  expect(otherClusterOf(owned, red)?.name).toBe(name);
});
