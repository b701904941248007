import type { ClusterClass, ClusterClassSpec } from './schema.ts';

/** For tests: a class with a control plane, one class of workers and one variable. */

const template = (kind: string) => ({
  templateRef: {
    apiVersion: `${kind.startsWith('AWS') ? 'infrastructure' : 'bootstrap'}.cluster.x-k8s.io/v1beta2`,
    kind,
    name: 'class',
  },
});

export const worker = {
  class: 'default-worker',
  bootstrap: template('KubeadmConfigTemplate'),
  infrastructure: template('AWSMachineTemplate'),
};

const CONTROL_PLANE = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmControlPlaneTemplate',
  name: 'class',
};

export const base: ClusterClassSpec = {
  infrastructure: template('AWSClusterTemplate'),
  controlPlane: { templateRef: CONTROL_PLANE, machineInfrastructure: template('AWSMachineTemplate') },
  workers: { machineDeployments: [worker] },
  variables: [{ name: 'region', required: true, schema: { openAPIV3Schema: { type: 'string' } } }],
};

export const classWith = (spec: Partial<ClusterClassSpec>): ClusterClass => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'ClusterClass',
  metadata: { name: 'class' },
  spec: { ...base, ...spec },
});
