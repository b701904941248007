/** The objects of clusters; except for the infrastructure, they are the same for Windlass and for Cluster API. */
import type { KubeObject } from '../../../../shared/kube-api/object.ts';

/** The infrastructure provider: AWS, or Cluster API's infrastructure in memory. */
export type Provider = 'AWS' | 'Dev';

export interface ClusterShape {
  controlPlane: number;
  workers: number;
}

const VERSION = 'v1.34.0';
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';
const BOOTSTRAP = 'bootstrap.cluster.x-k8s.io';
const CONTROL_PLANE = 'controlplane.cluster.x-k8s.io';

const REGISTRATION = {
  name: '{{ v1.local_hostname }}',
  kubeletExtraArgs: [{ name: 'provider-id', value: 'aws:///{{ v1.availability_zone }}/{{ v1.instance_id }}' }],
};

const object = (group: string, kind: string, name: string, spec: unknown): KubeObject => ({
  apiVersion: `${group}/v1beta2`,
  kind,
  // The controller of DevClusters writes into the existing annotations, and panics if there are none.
  metadata: { name, namespace: 'default', annotations: { 'example.com/bench': '' } },
  ...{ spec },
});

const reference = (apiGroup: string, kind: string, name: string) => ({ apiGroup, kind, name });

/**
 * The stages of a machine in memory, which take `bootSeconds` together: virtual machine, node, and, in the control
 * plane, the slower of etcd and the API server.
 */
const devMachine = (bootSeconds: number, isControlPlane: boolean) => {
  const stage = Math.round((bootSeconds * 1000) / 7);
  const takes = (milliseconds: number) => ({ provisioning: { startupDuration: `${milliseconds}ms` } });
  const vm = takes(Math.round(bootSeconds * 1000) - (isControlPlane ? 2 : 1) * stage);
  const server = isControlPlane ? { apiServer: takes(stage), etcd: takes(stage) } : {};
  return { backend: { inMemory: { vm, node: takes(stage), ...server } } };
};

const awsMachine = (isControlPlane: boolean) => ({
  instanceType: 't3.large',
  iamInstanceProfile: `${isControlPlane ? 'control-plane' : 'nodes'}.cluster-api-provider-aws.sigs.k8s.io`,
});

const infrastructureOf = (provider: Provider, name: string, bootSeconds: number): KubeObject[] => {
  const template = (suffix: string, isControlPlane: boolean) => {
    const spec = provider === 'AWS' ? awsMachine(isControlPlane) : devMachine(bootSeconds, isControlPlane);
    return object(INFRASTRUCTURE, `${provider}MachineTemplate`, `${name}-${suffix}`, { template: { spec } });
  };
  const cluster =
    provider === 'AWS'
      ? { region: 'us-east-1', sshKeyName: '', controlPlaneLoadBalancer: { loadBalancerType: 'nlb' } }
      : { backend: { inMemory: {} } };
  return [
    object(INFRASTRUCTURE, `${provider}Cluster`, name, cluster),
    template('control-plane', true),
    template('md-0', false),
  ];
};

const workersOf = (provider: Provider, name: string, replicas: number): KubeObject[] => {
  const pool = `${name}-md-0`;
  const spec = {
    clusterName: name,
    version: VERSION,
    bootstrap: { configRef: reference(BOOTSTRAP, 'KubeadmConfigTemplate', pool) },
    infrastructureRef: reference(INFRASTRUCTURE, `${provider}MachineTemplate`, pool),
  };
  const labels = { pool };
  return [
    object(BOOTSTRAP, 'KubeadmConfigTemplate', pool, {
      template: { spec: { joinConfiguration: { nodeRegistration: REGISTRATION } } },
    }),
    object('cluster.x-k8s.io', 'MachineDeployment', pool, {
      clusterName: name,
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    }),
  ];
};

/**
 * The objects of a cluster in the order in which they are created, in the namespace `default`. `bootSeconds` is the
 * boot time of a machine in memory; `npm start` sets that of the simulated instances of AWS.
 */
export const clusterObjects = (
  provider: Provider,
  name: string,
  { controlPlane, workers }: ClusterShape,
  bootSeconds: number,
): KubeObject[] => [
  ...infrastructureOf(provider, name, bootSeconds),
  object(CONTROL_PLANE, 'KubeadmControlPlane', name, {
    replicas: controlPlane,
    version: VERSION,
    machineTemplate: {
      spec: {
        infrastructureRef: reference(INFRASTRUCTURE, `${provider}MachineTemplate`, `${name}-control-plane`),
      },
    },
    kubeadmConfigSpec: {
      initConfiguration: { nodeRegistration: REGISTRATION },
      joinConfiguration: { nodeRegistration: REGISTRATION },
    },
  }),
  ...(workers > 0 ? workersOf(provider, name, workers) : []),
  object('cluster.x-k8s.io', 'Cluster', name, {
    clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] }, services: { cidrBlocks: ['10.96.0.0/12'] } },
    controlPlaneRef: reference(CONTROL_PLANE, 'KubeadmControlPlane', name),
    infrastructureRef: reference(INFRASTRUCTURE, `${provider}Cluster`, name),
  }),
];

/** The collection of the object's kind in the namespace `default`. */
export const collectionOf = ({ apiVersion, kind }: KubeObject): string =>
  `/apis/${apiVersion}/namespaces/default/${kind.toLowerCase()}s`;
