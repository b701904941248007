/** The objects around a machine whose executions crash. */
import type { ClusterCertificates } from '../../shared/bootstrap/certificates/authority.ts';
import { toKubeconfigSecret, toSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { LABEL } from '../../shared/plan/labels.ts';

const meta = (name: string) => ({ name, namespace: 'default', labels: { [LABEL.clusterName]: 'red' } });
export const ref = (group: string, kind: string, name: string) => ({
  apiGroup: `${group}.cluster.x-k8s.io`,
  kind,
  name,
});

export const moreObjects = (certificates: ClusterCertificates): KubeObject[] => [
  {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: meta('red'),
    spec: {
      replicas: 1,
      version: 'v1.34.0',
      machineTemplate: { spec: { infrastructureRef: ref('infrastructure', 'AWSMachineTemplate', 't') } },
    },
  } as KubeObject,
  { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2', kind: 'KubeadmConfig', metadata: meta('m-1') },
  toKubeconfigSecret('red', 'default', 'a kubeconfig'),
  ...(['ca', 'etcd', 'proxy', 'sa'] as const).map((purpose) =>
    toSecret('red', 'default', purpose, certificates[purpose]),
  ),
];

/** A control plane machine that runs, so that nodes must be deleted. */
export const other = (): KubeObject =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...meta('m-0'), labels: { ...meta('m-0').labels, [LABEL.controlPlane]: '' } },
    spec: {
      clusterName: 'red',
      bootstrap: { dataSecretName: 'm-0' },
      infrastructureRef: ref('infrastructure', 'AWSMachine', 'm-0'),
    },
    status: { nodeRef: { name: 'm-0' } },
  }) as KubeObject;
