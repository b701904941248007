import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../shared/kinds/cluster/schema.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { hindrancesOf } from './hindrances.ts';

const LABELS = { 'cluster.x-k8s.io/cluster-name': 'red', 'topology.cluster.x-k8s.io/owned': '' };

const cluster = {
  metadata: { name: 'red', namespace: 'default' },
  spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'red-cp' } },
} as Cluster;

const objectOf = (resource: ResourceDefinition, name: string, spec: object, status: object = {}, labels = {}) =>
  ({
    apiVersion: `${resource.group}/${resource.version}`,
    kind: resource.kind,
    metadata: { name, namespace: 'default', labels: { ...LABELS, ...labels } },
    spec,
    status,
  }) as unknown as KubeObject;

const controlPlane = (version: string, is?: string) =>
  objectOf(kinds.kubeadmControlPlane, 'red-cp', { version }, is ? { version: is, versions: [{ version: is }] } : {});

const template = (version: string) => ({ clusterName: 'red', template: { spec: { clusterName: 'red', version } } });
const deployment = (version: string) =>
  objectOf(kinds.machineDeployment, 'red-md', { ...template(version), selector: { matchLabels: { group: 'md' } } });
const pool = (version: string) => objectOf(kinds.machinePool, 'red-mp', template(version));
const machine = (version: string, kubelet: string, labels: object) =>
  objectOf(kinds.machine, 'red-m', { clusterName: 'red', version }, { nodeInfo: { kubeletVersion: kubelet } }, labels);

const OLD = 'v1.33.0';
const NEW = 'v1.34.0';

const upToDate = controlPlane(NEW, NEW);
const DEPLOYMENTS = 'there are still MachineDeployments completing a previous upgrade: [red-md]';
const POOLS = 'there are still MachinePools completing a previous upgrade: [red-mp]';

describe('the obstacle to a new version of a cluster', () => {
  it.each([
    { why: 'nothing', objects: [upToDate, deployment(NEW), pool(NEW)], says: [] },
    {
      why: 'a control plane without the version',
      objects: [controlPlane(OLD, OLD)],
      says: [
        'Cluster.spec.topology.version 1.34.0 was not propagated to control plane yet (control plane version 1.33.0)',
      ],
    },
    {
      why: 'a control plane that is being created',
      objects: [controlPlane(NEW)],
      says: ['control plane is currently provisioning'],
    },
    {
      why: 'a control plane with an old machine',
      objects: [controlPlane(NEW, OLD)],
      says: ['control plane is still completing a previous upgrade'],
    },
    { why: 'a deployment without the version', objects: [upToDate, deployment(OLD)], says: [DEPLOYMENTS] },
    {
      why: 'an old machine of a deployment',
      objects: [upToDate, deployment(NEW), machine(OLD, OLD, { group: 'md' })],
      says: [DEPLOYMENTS],
    },
    { why: 'a pool without the version', objects: [upToDate, pool(OLD)], says: [POOLS] },
    {
      why: 'an old node of a pool',
      objects: [upToDate, pool(NEW), machine(NEW, OLD, { 'cluster.x-k8s.io/pool-name': 'red-mp' })],
      says: [POOLS],
    },
  ])('is $why', async ({ objects, says }) => {
    const storage = createMemoryStorage();
    const all = Object.values(kinds) as ResourceDefinition[];
    for (const object of objects) {
      const resource = all.find(({ kind }) => kind === object.kind);
      if (resource) await storage.create(resource, object, 'red');
    }
    expect(await hindrancesOf({ reads: storage, readOutside: async () => undefined }, cluster, NEW)).toEqual(says);
  });
});
