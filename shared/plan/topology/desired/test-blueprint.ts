/** For tests: a class that uses all features, its templates, and a cluster from it. */
import type { Topology } from '../../../kinds/cluster/schema.ts';
import type { ClusterClassSpec } from '../../../kinds/cluster-class/schema.ts';
import type { JsonObject } from '../../../kube-api/json.ts';
import { kindsWith } from '../kinds.ts';
import type { AnyObject, Blueprint, CurrentTopology } from '../objects.ts';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1beta2';
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io/v1beta2';
const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/v1beta2';

const template = (
  apiVersion: string,
  kind: string,
  name: string,
  spec: JsonObject,
  metadata?: JsonObject,
): AnyObject => ({
  apiVersion,
  kind,
  metadata: {
    name,
    namespace: 'classes',
    uid: `uid-${name}`,
    resourceVersion: '7',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'yes' },
  },
  spec: { template: { ...(metadata ? { metadata } : {}), spec } },
});

const refOf = ({ apiVersion, kind, metadata }: AnyObject) => ({
  templateRef: { apiVersion, kind, name: metadata.name },
});

const TEMPLATES = {
  infrastructureCluster: template(
    INFRASTRUCTURE,
    'AWSClusterTemplate',
    'aws',
    { region: 'eu-west-1' },
    { labels: { of: 'aws' } },
  ),
  controlPlane: template(CONTROL_PLANE, 'KubeadmControlPlaneTemplate', 'kcp', {
    kubeadmConfigSpec: { format: 'cloud-config' },
    machineTemplate: { metadata: { labels: { 'of-machines': 'kcp', both: 'template' } } },
  }),
  machineInfrastructure: template(INFRASTRUCTURE, 'AWSMachineTemplate', 'cp-machine', { instanceType: 'm5.large' }),
  bootstrap: template(BOOTSTRAP, 'KubeadmConfigTemplate', 'worker-config', { format: 'cloud-config' }),
  machine: template(INFRASTRUCTURE, 'AWSMachineTemplate', 'worker-machine', { instanceType: 'm5.large' }),
  pool: template(INFRASTRUCTURE, 'AWSMachinePoolTemplate', 'pool-machine', { minSize: 1 }),
};

const CLASS_SPEC: ClusterClassSpec = {
  infrastructure: refOf(TEMPLATES.infrastructureCluster),
  controlPlane: {
    ...refOf(TEMPLATES.controlPlane),
    machineInfrastructure: refOf(TEMPLATES.machineInfrastructure),
    metadata: { labels: { 'cp-class': 'a', both: 'class' }, annotations: { note: 'class' } },
    healthCheck: { checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }] } },
    deletion: { nodeDrainTimeoutSeconds: 10, nodeDeletionTimeoutSeconds: 20 },
    readinessGates: [{ conditionType: 'Class' }],
  },
  workers: {
    machineDeployments: [
      {
        class: 'worker',
        bootstrap: refOf(TEMPLATES.bootstrap),
        infrastructure: refOf(TEMPLATES.machine),
        metadata: { labels: { md: 'class' }, annotations: { 'topology.cluster.x-k8s.io/defer-upgrade': '' } },
        failureDomain: 'a',
        minReadySeconds: 5,
        deletion: { order: 'Oldest', nodeDrainTimeoutSeconds: 7 },
        rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
        healthCheck: { checks: { nodeStartupTimeoutSeconds: 100 }, remediation: { maxInFlight: 2 } },
      },
    ],
    machinePools: [
      {
        class: 'pool',
        bootstrap: refOf(TEMPLATES.bootstrap),
        infrastructure: refOf(TEMPLATES.pool),
        failureDomains: ['a', 'b'],
      },
    ],
  },
  variables: [
    { name: 'type', required: true, schema: { openAPIV3Schema: { type: 'string' } } },
    { name: 'zone', required: false, schema: { openAPIV3Schema: { type: 'string' } } },
  ],
};

const TOPOLOGY: Topology = {
  classRef: { name: 'full', namespace: 'classes' },
  version: 'v1.34.0',
  variables: [
    { name: 'type', value: 'm5.xlarge' },
    { name: 'unknown', value: 1 },
  ],
  controlPlane: {
    replicas: 3,
    metadata: { labels: { both: 'topology' }, annotations: { mine: 'x' } },
    deletion: { nodeDrainTimeoutSeconds: 30 },
    variables: { overrides: [{ name: 'zone', value: 'cp' }] },
  },
  workers: {
    machineDeployments: [
      {
        class: 'worker',
        name: 'md-0',
        replicas: 2,
        metadata: { labels: { own: 'md' }, annotations: { a: 'b' } },
        taints: [{ key: 'k', effect: 'NoSchedule', propagation: 'Always' }],
        variables: { overrides: [{ name: 'type', value: 'c5.large' }] },
      },
      { class: 'worker', name: 'md-1', failureDomain: 'b', healthCheck: { enabled: false } },
    ],
    machinePools: [{ class: 'pool', name: 'mp-0', replicas: 4, minReadySeconds: 9 }],
  },
};

export const NOTHING: CurrentTopology = {
  controlPlane: undefined,
  machineDeployments: new Map(),
  machinePools: new Map(),
};

/** A blueprint of these objects, with the parts that a test changes. */
export const blueprintOf = (
  change: { spec?: Partial<ClusterClassSpec>; topology?: Partial<Topology>; contract?: Blueprint['contract'] } = {},
): Blueprint => {
  const topology: Topology = { ...TOPOLOGY, ...change.topology };
  return {
    cluster: {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'demo', namespace: 'team', uid: 'uid-demo', labels: { tier: 'gold' } },
      spec: { topology, clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/16'] }, serviceDomain: 'cluster.local' } },
    },
    topology,
    clusterClass: {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'ClusterClass',
      metadata: { name: 'full', namespace: 'classes' },
      spec: { ...CLASS_SPEC, ...change.spec },
    },
    infrastructureCluster: TEMPLATES.infrastructureCluster,
    controlPlane: TEMPLATES.controlPlane,
    machineInfrastructure: TEMPLATES.machineInfrastructure,
    machineDeployments: new Map([['worker', { bootstrap: TEMPLATES.bootstrap, infrastructure: TEMPLATES.machine }]]),
    machinePools: new Map([['pool', { bootstrap: TEMPLATES.bootstrap, infrastructure: TEMPLATES.pool }]]),
    contract: change.contract ?? 'v1beta2',
    kindOf: kindsWith([]),
  };
};
