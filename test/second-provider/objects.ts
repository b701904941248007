import type { KubeObject } from '../../shared/kube-api/object.ts';

const GROUP = 'infrastructure.example.com';
const ref = (group: string, kind: string, name: string) => ({ apiGroup: group, kind, name });
const template = (name: string) => ref(GROUP, 'PlainMachineTemplate', name);

const object = (group: string, kind: string, name: string, spec: object): KubeObject =>
  ({
    apiVersion: `${group}/v1beta2`,
    kind,
    metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
    spec,
  }) as KubeObject;

/** A template of machines of a size. */
export const plainTemplate = (name: string, size: string): KubeObject =>
  object(GROUP, 'PlainMachineTemplate', name, { template: { spec: { size } } });

/** A cluster of three control plane machines and two workers on the second provider. */
export const clusterObjects = (): KubeObject[] => [
  object('cluster.x-k8s.io', 'Cluster', 'red', {
    clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] } },
    controlPlaneRef: ref('controlplane.cluster.x-k8s.io', 'KubeadmControlPlane', 'red'),
    infrastructureRef: ref(GROUP, 'PlainCluster', 'red'),
  }),
  object(GROUP, 'PlainCluster', 'red', {}),
  plainTemplate('small', 's'),
  object('controlplane.cluster.x-k8s.io', 'KubeadmControlPlane', 'red', {
    replicas: 3,
    version: 'v1.34.0',
    machineTemplate: { spec: { infrastructureRef: template('small') } },
    kubeadmConfigSpec: { clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256' } },
  }),
  object('bootstrap.cluster.x-k8s.io', 'KubeadmConfigTemplate', 'workers', {
    template: { spec: { verbosity: 2 } },
  }),
  object('cluster.x-k8s.io', 'MachineDeployment', 'workers', {
    clusterName: 'red',
    replicas: 2,
    selector: { matchLabels: { pool: 'workers' } },
    template: {
      metadata: { labels: { pool: 'workers' } },
      spec: {
        clusterName: 'red',
        version: 'v1.34.0',
        bootstrap: { configRef: ref('bootstrap.cluster.x-k8s.io', 'KubeadmConfigTemplate', 'workers') },
        infrastructureRef: template('small'),
      },
    },
  }),
];
