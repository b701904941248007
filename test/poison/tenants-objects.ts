/** The objects that the tenant's editor created before anything was poisoned. */
import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { toKubeconfigSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { LABEL } from '../../shared/plan/labels.ts';

export const CLUSTER = 'quickstart';

const labels = { [LABEL.clusterName]: CLUSTER };
const head = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, metadata: { name, labels } });
const templateOf = (spec: object) => ({ spec: { template: { spec } } });
const templateRef = (group: string, kind: string, name: string) => ({
  apiVersion: `${group}.cluster.x-k8s.io/v1beta2`,
  kind,
  name,
});
const ref = (group: string, kind: string, name: string) => ({ apiGroup: `${group}.cluster.x-k8s.io`, kind, name });

/** A machine as its owner creates it. */
export const machineObjects = (name: string): KubeObject[] => [
  { ...head('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfig', name) },
  {
    ...head('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSMachine', name),
    spec: { instanceType: 't3.large' },
  } as KubeObject,
  {
    ...head('cluster.x-k8s.io/v1beta2', 'Machine', name),
    spec: {
      clusterName: CLUSTER,
      version: 'v1.34.0',
      bootstrap: { configRef: ref('bootstrap', 'KubeadmConfig', name) },
      infrastructureRef: ref('infrastructure', 'AWSMachine', name),
    },
  } as KubeObject,
];

/** One object of each kind that a kubeadm cluster need not have. */
export const others = (namespace: string): KubeObject[] => [
  {
    ...head('cluster.x-k8s.io/v1beta2', 'MachineHealthCheck', 'checks'),
    spec: { clusterName: CLUSTER, selector: { matchLabels: labels }, checks: { nodeStartupTimeoutSeconds: 600 } },
  } as KubeObject,
  {
    ...head('addons.cluster.x-k8s.io/v1beta2', 'ClusterResourceSet', 'set'),
    spec: { clusterSelector: { matchLabels: { net: 'yes' } }, resources: [{ kind: 'ConfigMap', name: 'net' }] },
  } as KubeObject,
  { ...head('v1', 'ConfigMap', 'net'), data: { a: 'b' } } as KubeObject,
  {
    ...head('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', 'rule'),
    spec: { drain: { behavior: 'Skip' }, machines: [{ selector: { matchLabels: labels } }] },
  } as KubeObject,
  toKubeconfigSecret(CLUSTER, namespace, 'apiVersion: v1'),
  { ...head('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSClusterTemplate', 'clusters'), ...templateOf({}) },
  {
    ...head('infrastructure.cluster.x-k8s.io/v1beta2', 'AWSMachinePool', 'pool'),
    spec: { minSize: 1, maxSize: 2, awsLaunchTemplate: { instanceType: 't3.large' } },
  } as KubeObject,
  {
    ...head('cluster.x-k8s.io/v1beta2', 'MachinePool', 'pool'),
    spec: {
      clusterName: CLUSTER,
      template: {
        spec: {
          clusterName: CLUSTER,
          bootstrap: { configRef: ref('bootstrap', 'KubeadmConfig', 'm-0') },
          infrastructureRef: ref('infrastructure', 'AWSMachinePool', 'pool'),
        },
      },
    },
  } as KubeObject,
  {
    ...head('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlaneTemplate', 'planes'),
    ...templateOf({ kubeadmConfigSpec: { preKubeadmCommands: ['true'] } }),
  },
  {
    ...head('cluster.x-k8s.io/v1beta2', 'ClusterClass', 'class'),
    spec: {
      infrastructure: { templateRef: templateRef('infrastructure', 'AWSClusterTemplate', 'clusters') },
      controlPlane: { templateRef: templateRef('controlplane', 'KubeadmControlPlaneTemplate', 'planes') },
    },
  } as KubeObject,
  { ...head('v1', 'ServiceAccount', 'account') },
  { ...head('coordination.k8s.io/v1', 'Lease', 'lease'), spec: { holderIdentity: 'mallory' } } as KubeObject,
];

/** A second cluster, of RKE2. */
export const rke2 = async (): Promise<KubeObject[]> =>
  parseAllDocuments(await readFile('examples/rke2.yaml', 'utf8')).map((document) => document.toJS() as KubeObject);
