import type { KubernetesObject } from '@kubernetes/client-node';

export const GROUP = 'cluster.x-k8s.io';
export const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

export interface Template extends KubernetesObject {
  spec: object;
}

export interface Deployment extends KubernetesObject {
  spec: { replicas: number } & Record<string, unknown>;
  status?: { replicas?: number };
}

/** The smallest valid infrastructure object. */
export const template = (name: string, suite: string): Template => ({
  apiVersion: `${INFRASTRUCTURE}/v1beta2`,
  kind: 'AWSMachineTemplate',
  metadata: { name, namespace: 'default', labels: { suite } },
  spec: { template: { spec: { instanceType: 't3.medium', sshKeyName: '' } } },
});

/** A MachineDeployment that belongs to no cluster, so that nothing is created for it. */
export const deployment = (name: string, replicas: number): Deployment => ({
  apiVersion: `${GROUP}/v1beta2`,
  kind: 'MachineDeployment',
  metadata: { name, namespace: 'default' },
  spec: {
    clusterName: 'nowhere',
    replicas,
    template: {
      spec: {
        clusterName: 'nowhere',
        version: 'v1.34.0',
        bootstrap: { dataSecretName: 'none' },
        infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachineTemplate', name: 'none' },
      },
    },
  },
});
