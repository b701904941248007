import type { KubeObject } from '../../../shared/kube-api/object.ts';

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

export const clusterObjects: KubeObject[] = [
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
