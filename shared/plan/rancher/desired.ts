import { namespaceOfRancher } from '../../kinds/rancher-cluster/names.ts';
import type { RancherCluster } from '../../kinds/rancher-cluster/schema.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { GROUP, LABEL } from '../labels.ts';
import { controllerReference } from '../machines/desired.ts';
import type { RancherConfig, RancherNode } from './config.ts';
import { copyNameOf, type HostRole, hostNameOf, partsOf, ROLE_LABEL, templateNameOf } from './names.ts';
import { serverConfigsOf, workerConfigOf } from './rke2.ts';

/** What is known about the hosts and their user, in addition to the configuration. */
export interface NodeAccess {
  node: RancherNode;
  /** In the form of known_hosts. */
  hostKey: string;
  /** Base64, as in the data of a Secret. */
  privateKey: string;
}

export interface DesiredFacts {
  cluster: RancherCluster;
  config: RancherConfig;
  access: readonly NodeAccess[];
  version: string;
  /** The address of the API server. */
  endpoint: { host: string; port: number };
  /** Whether there is a control plane that further nodes can join. */
  isInitialized: boolean;
}

type Desired = KubeObject & Record<string, unknown>;

const HOSTS = 'infrastructure.windlass.dev';
const ref = (apiGroup: string, kind: string, name: string) => ({ apiGroup, kind, name });

/**
 * The node that initializes the control plane: the one with the endpoint's address, or else the first. The endpoint
 * only responds there until others have joined.
 */
export const firstNode = ({ config: { nodes }, endpoint }: Pick<DesiredFacts, 'config' | 'endpoint'>) => {
  const servers = nodes.filter(({ isControlPlane }) => isControlPlane);
  return servers.find(({ address }) => address === endpoint.host) ?? servers[0];
};

const roleOf = (facts: DesiredFacts, node: RancherNode): HostRole => {
  if (!node.isControlPlane) return 'worker';
  return facts.isInitialized || firstNode(facts) === node ? 'controlplane' : 'waiting';
};

/** The namespace itself, which only the Cluster controls. */
export const namespaceFor = (cluster: RancherCluster): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespaceOfRancher(cluster.metadata.name), ownerReferences: [controllerReference(cluster)] },
});

const secretsOf = ({ cluster, access }: DesiredFacts): Desired[] => {
  const { namespace } = partsOf(cluster);
  const byName = new Map(access.map((one) => [copyNameOf(one.node.secret), one.privateKey]));
  return [...byName].map(([name, privateKey]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name },
    type: 'kubernetes.io/ssh-auth',
    data: { 'ssh-privatekey': privateKey },
  }));
};

const hostsOf = (facts: DesiredFacts): Desired[] =>
  facts.access.map(({ node, hostKey }) => ({
    apiVersion: `${HOSTS}/v1alpha1`,
    kind: 'Host',
    metadata: {
      namespace: partsOf(facts.cluster).namespace,
      name: hostNameOf(node.address),
      labels: { [ROLE_LABEL]: roleOf(facts, node) },
      ownerReferences: [controllerReference(facts.cluster)],
    },
    spec: {
      address: node.address,
      port: node.port,
      user: node.user,
      hostKey,
      secretRef: { name: copyNameOf(node.secret) },
    },
  }));

const machineTemplate = (namespace: string, name: string, role: HostRole): Desired => ({
  apiVersion: `${HOSTS}/v1alpha1`,
  kind: 'HostMachineTemplate',
  metadata: { namespace, name },
  spec: { template: { spec: { selector: { matchLabels: { [ROLE_LABEL]: role } } } } },
});

const networkOf = ({ config }: DesiredFacts) => {
  const { services } = config.yml;
  const [pods, range] = [services?.['kube-controller']?.cluster_cidr, services?.['kube-api']?.service_cluster_ip_range];
  const domain = services?.kubelet?.cluster_domain;
  // RKE2's own defaults, which are those of RKE.
  const blocks = (given: string | undefined, usual: string) => ({ cidrBlocks: (given ?? usual).split(',') });
  return {
    pods: blocks(pods, '10.42.0.0/16'),
    services: blocks(range, '10.43.0.0/16'),
    ...(domain ? { serviceDomain: domain } : {}),
  };
};

const clusterOf = (facts: DesiredFacts): Desired => {
  const { namespace, name, controlPlane } = partsOf(facts.cluster);
  return {
    apiVersion: `${GROUP.core}/v1beta2`,
    kind: 'Cluster',
    metadata: { namespace, name, ownerReferences: [controllerReference(facts.cluster)] },
    spec: {
      clusterNetwork: networkOf(facts),
      controlPlaneRef: ref(GROUP.controlPlane, 'RKE2ControlPlane', controlPlane),
      infrastructureRef: ref(HOSTS, 'HostCluster', name),
    },
  };
};

const controlPlaneOf = (facts: DesiredFacts): Desired => {
  const { namespace, controlPlane } = partsOf(facts.cluster);
  const servers = facts.config.nodes.filter(({ isControlPlane }) => isControlPlane).length;
  return {
    apiVersion: `${GROUP.controlPlane}/v1beta2`,
    kind: 'RKE2ControlPlane',
    metadata: { namespace, name: controlPlane },
    spec: {
      replicas: facts.isInitialized ? servers : 1,
      version: facts.version,
      // The endpoint may be the address of a server, which may fail.
      registrationMethod: 'internal-first',
      rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } },
      machineTemplate: { spec: { infrastructureRef: ref(HOSTS, 'HostMachineTemplate', controlPlane) } },
      ...serverConfigsOf(facts.config),
    },
  };
};

const workersOf = (facts: DesiredFacts): Desired[] => {
  const { namespace, name, workers } = partsOf(facts.cluster);
  const spec = workerConfigOf(facts.config);
  const template = templateNameOf(name, spec);
  const labels = { [LABEL.deploymentName]: workers };
  const apiVersion = `${GROUP.bootstrap}/v1beta2`;
  return [
    {
      ...{ apiVersion, kind: 'RKE2ConfigTemplate' },
      metadata: { namespace, name: template, ownerReferences: [controllerReference(facts.cluster)] },
      spec: { template: { spec } },
    },
    {
      apiVersion: `${GROUP.core}/v1beta2`,
      kind: 'MachineDeployment',
      metadata: { namespace, name: workers },
      spec: {
        clusterName: name,
        replicas: facts.config.nodes.filter(({ isControlPlane }) => !isControlPlane).length,
        // A machine must free its host before the next one can be created.
        rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            clusterName: name,
            version: facts.version,
            bootstrap: { configRef: ref(GROUP.bootstrap, 'RKE2ConfigTemplate', template) },
            infrastructureRef: ref(HOSTS, 'HostMachineTemplate', workers),
          },
        },
      },
    },
  ];
};

/** The objects of a configuration, in the order in which they must be applied, after the namespace. */
export const desiredObjects = (facts: DesiredFacts): Desired[] => {
  const { namespace, name, controlPlane, workers } = partsOf(facts.cluster);
  return [
    ...secretsOf(facts),
    ...hostsOf(facts),
    machineTemplate(namespace, controlPlane, 'controlplane'),
    machineTemplate(namespace, workers, 'worker'),
    {
      apiVersion: `${HOSTS}/v1alpha1`,
      kind: 'HostCluster',
      metadata: { namespace, name },
      spec: { controlPlaneEndpoint: facts.endpoint },
    },
    controlPlaneOf(facts),
    ...workersOf(facts),
    clusterOf(facts),
  ];
};
