import type { ClusterCertificates } from '../../../shared/bootstrap/certificates/authority.ts';
import { toSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import type { testClock } from '../../../shared/store/test-table.ts';

/** For tests: the objects of a cluster, and of its machines. */

const meta = (name: string, labels: Record<string, string> = {}) => ({
  name,
  namespace: 'default',
  labels: { 'cluster.x-k8s.io/cluster-name': 'red', ...labels },
});

/** A machine with its configuration and infrastructure. */
export const machineObjects = (name: string, controlPlane: boolean): KubeObject[] => [
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...meta(name, controlPlane ? { 'cluster.x-k8s.io/control-plane': '' } : {}),
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName: 'red',
      version: 'v1.34.0',
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
    },
  } as KubeObject,
  {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfig',
    metadata: meta(name),
  } as KubeObject,
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { ...meta(name), finalizers: ['awsmachine.infrastructure.cluster.x-k8s.io'] },
    spec: { instanceType: 't3.large' },
  } as KubeObject,
];

const clusterObjects: KubeObject[] = [
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: {
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] }, services: { cidrBlocks: ['10.96.0.0/12'] } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' },
    },
  } as KubeObject,
  {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: meta('red'),
    spec: { region: 'us-east-1' },
    status: { ready: true },
  } as KubeObject,
];

/** The objects of a cluster in memory, with the Secrets of its authorities. `wrap` may wrap their storage. */
export const makeClusterObjects = async (
  clock: ReturnType<typeof testClock>,
  certificates: ClusterCertificates,
  wrap: (storage: Storage) => Storage = (storage) => storage,
) => {
  const storage = wrap(createMemoryStorage());
  const registry = createRegistry({ resources: KINDS, storage, clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const put = async (object: KubeObject): Promise<KubeObject> => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return (await objects.ensure(resource, object)).object;
  };
  const [cluster] = await Promise.all(clusterObjects.map(put));
  for (const purpose of ['ca', 'etcd', 'proxy', 'sa'] as const)
    await put(toSecret('red', 'default', purpose, certificates[purpose]));
  return { objects, put, cluster };
};
