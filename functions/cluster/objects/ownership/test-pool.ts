/** For tests: a MachinePool of the example cluster. */
import {
  type AWSMachine,
  type AWSMachinePool,
  type KubeadmConfig,
  kinds,
  type Machine,
  type MachinePool,
  type Secret,
} from '../../../../shared/kinds/index.ts';
import type { World } from '../test-world.ts';

export const NAMESPACE = 'default';
export const LABELS = { 'cluster.x-k8s.io/cluster-name': 'quickstart' };
const POOL_LABELS = { ...LABELS, 'cluster.x-k8s.io/pool-name': 'pool' };
const IDS = ['i-1', 'i-2'];
const BOOTSTRAP = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'pool' };
const INFRASTRUCTURE = { apiGroup: 'infrastructure.cluster.x-k8s.io', name: 'pool' };

/** A pool in the state in which its executions leave it: two instances, each with a Machine. */
export const addPool = async (w: World): Promise<void> => {
  const pool = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { namespace: NAMESPACE, name: 'pool', labels: LABELS },
    spec: {
      clusterName: 'quickstart',
      replicas: 2,
      template: {
        spec: {
          clusterName: 'quickstart',
          version: 'v1.34.0',
          bootstrap: { configRef: BOOTSTRAP },
          infrastructureRef: { ...INFRASTRUCTURE, kind: 'AWSMachinePool' },
        },
      },
    },
  } as MachinePool;
  await w.apply(pool);
  const group = await w.apply({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata: { namespace: NAMESPACE, name: 'pool', labels: LABELS },
    spec: {
      minSize: 1,
      maxSize: 3,
      awsLaunchTemplate: { instanceType: 't3.large' },
      providerIDList: IDS.map((id) => `aws:///a/${id}`),
    },
  } as unknown as AWSMachinePool);
  const config = { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig' };
  await w.apply({
    ...config,
    metadata: { namespace: NAMESPACE, name: 'pool', labels: LABELS },
    spec: { joinConfiguration: { nodeRegistration: { name: 'x' } } },
  } as KubeadmConfig);
  for (const id of IDS) {
    const metadata = { namespace: NAMESPACE, name: `pool-${id}`, labels: POOL_LABELS };
    await w.apply({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSMachine',
      metadata: {
        ...metadata,
        ownerReferences: [
          { apiVersion: group.apiVersion, kind: group.kind, name: 'pool', uid: group.metadata.uid ?? '' },
        ],
      },
      spec: { instanceType: 't3.large', instanceID: id, providerID: `aws:///a/${id}` },
    } as unknown as AWSMachine);
    await w.apply({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata,
      spec: {
        clusterName: 'quickstart',
        bootstrap: { dataSecretName: '' },
        infrastructureRef: { ...INFRASTRUCTURE, kind: 'AWSMachine', name: metadata.name },
      },
    } as Machine);
  }
};

/** The data of a configuration, as the execution of its machine leaves them. */
export const addData = async (w: World, config: KubeadmConfig): Promise<void> => {
  const { name } = config.metadata;
  const metadata = {
    ...{ namespace: NAMESPACE, name, labels: LABELS },
    ownerReferences: [
      {
        ...{ apiVersion: config.apiVersion, kind: config.kind, name, uid: config.metadata.uid ?? '' },
        ...{ controller: true, blockOwnerDeletion: true },
      },
    ],
  };
  const type = 'cluster.x-k8s.io/secret';
  await w.apply({ apiVersion: 'v1', kind: 'Secret', metadata, type, data: { value: 'bWluZQ==' } } as Secret);
  await w.objects.mutate(kinds.kubeadmConfig, config, (current) => ({
    ...current,
    status: { ...current.status, dataSecretName: name },
  }));
};
