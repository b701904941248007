/** For tests: the remains of a small cluster, and the manifests without which it is not adopted. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { Observed, ObservedInstance, ObservedNode } from './observed.ts';

export const instance = (id: string, Name: string): ObservedInstance => ({
  id,
  zone: 'us-east-1a',
  type: 't3.large',
  imageId: 'ami-1',
  tags: { Name, MachineName: `team/${Name}` },
});

export const node = (id: string, machine: string, kind: string, owner: string, version = 'v1.34.0'): ObservedNode => ({
  name: `ip-${id}`,
  providerID: `aws:///us-east-1a/${id}`,
  version,
  annotations: {
    'cluster.x-k8s.io/machine': machine,
    'cluster.x-k8s.io/owner-kind': kind,
    'cluster.x-k8s.io/owner-name': owner,
  },
});

const pair = { certificatePem: 'cert', privateKeyPem: 'private' };
export const seen: Observed = {
  name: 'red',
  namespace: 'team',
  region: 'us-east-1',
  vpc: { id: 'vpc-1', cidrBlock: '10.0.0.0/16' },
  zones: ['us-east-1a'],
  endpoint: { host: 'red.example.com', port: 6443 },
  subnets: [],
  balancers: [
    {
      type: 'nlb',
      name: 'team-red-apiserver',
      scheme: 'internet-facing',
      host: 'red.example.com',
      port: 6443,
      subnets: [],
    },
  ],
  instances: [instance('i-c', 'red-cp-1'), instance('i-w', 'red-md-0-abcde-1'), instance('i-x', 'stray')],
  nodes: [
    node('i-c', 'red-cp-1', 'KubeadmControlPlane', 'red-cp'),
    node('i-w', 'red-md-0-abcde-1', 'MachineSet', 'red-md-0-abcde', 'v1.33.9'),
  ],
  stored: { podSubnet: '192.168.0.0/16', dnsDomain: 'cluster.local' },
  pairs: { ca: pair, etcd: pair, proxy: pair, sa: pair },
};

export const awsCluster = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name: 'red' },
  spec: { region: 'us-east-1', sshKeyName: '' },
} as KubeObject;

export const workerConfig = {
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfigTemplate',
  metadata: { name: 'red-md-0' },
  spec: { template: { spec: { joinConfiguration: { nodeRegistration: { name: '{{ v1.local_hostname }}' } } } } },
} as KubeObject;
