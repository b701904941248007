/** Manifests as a tenant writes them, and the input of the steps. */
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ConvergeInput, MachineInput } from '../../shared/work/payloads.ts';

const GROUP = 'cluster.x-k8s.io';
const INFRASTRUCTURE = `infrastructure.${GROUP}`;

const head = (kind: string, namespace: string, name: string, cluster = name) => ({
  apiVersion: `${kind.startsWith('AWS') ? INFRASTRUCTURE : GROUP}/v1beta2`,
  kind,
  metadata: { namespace, name, labels: { [`${GROUP}/cluster-name`]: cluster } as Record<string, string> },
});

const reference = (kind: string, name: string) => ({ apiGroup: INFRASTRUCTURE, kind, name });

export const clusterOf = (namespace: string, name: string): KubeObject =>
  ({
    ...head('Cluster', namespace, name),
    spec: { infrastructureRef: reference('AWSCluster', name) },
  }) as KubeObject;

export const awsClusterOf = (namespace: string, name: string, spec: object = {}): KubeObject =>
  ({
    ...head('AWSCluster', namespace, name),
    spec: { region: 'us-east-1', controlPlaneLoadBalancer: { loadBalancerType: 'nlb' }, ...spec },
  }) as KubeObject;

export const machineOf = (namespace: string, name: string, cluster: string, labels: Record<string, string> = {}) => {
  const { metadata, ...rest } = head('Machine', namespace, name, cluster);
  return {
    ...rest,
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels }, finalizers: [`machine.${GROUP}`] },
    spec: {
      clusterName: cluster,
      version: 'v1.34.0',
      bootstrap: { dataSecretName: name },
      infrastructureRef: reference('AWSMachine', name),
    },
  } as KubeObject;
};

export const awsMachineOf = (
  namespace: string,
  name: string,
  cluster: string,
  spec: object,
  labels: Record<string, string> = {},
): KubeObject => {
  const { metadata, ...rest } = head('AWSMachine', namespace, name, cluster);
  return {
    ...rest,
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels }, finalizers: [`awsmachine.${INFRASTRUCTURE}`] },
    spec: { instanceType: 't3.large', ami: { id: 'ami-0123456789abcdef0' }, ...spec },
  } as KubeObject;
};

export const machineInput = (
  namespace: string,
  name: string,
  uid: string,
  cluster: { name: string; uid: string },
): MachineInput => ({
  machine: { namespace, name, uid, clusterName: cluster.name, clusterUid: cluster.uid },
  holder: `${uid}-1`,
});

export const convergeInput = (namespace: string, name: string, uid: string): ConvergeInput => ({
  cluster: { namespace, name, uid },
  wanted: 1,
  holder: `${uid}-1`,
});
