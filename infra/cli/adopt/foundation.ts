/**
 * The objects that define a cluster, as far as they can be derived from its remains; given ones replace derived ones.
 */
import type { AWSCluster, Cluster } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { GROUP, LABEL } from '../../../shared/plan/labels.ts';
import { API_SERVER_PORT } from '../../../shared/providers/aws/network/security-groups/rules.ts';
import { deploymentOf, type Found, type Group, oldestVersion } from './groups.ts';
import type { Observed, ObservedBalancer } from './observed.ts';

const list = (cidrs: string | undefined): { cidrBlocks: string[] } | undefined =>
  cidrs ? { cidrBlocks: cidrs.split(',') } : undefined;

const object = (group: string, kind: string, { namespace }: Observed, name: string, spec: object): KubeObject =>
  ({ apiVersion: `${group}/v1beta2`, kind, metadata: { namespace, name }, spec }) as KubeObject;

const cluster = (seen: Observed, controlPlane: string | undefined): KubeObject =>
  object(GROUP.core, 'Cluster', seen, seen.name, {
    clusterNetwork: {
      ...(seen.stored?.podSubnet ? { pods: list(seen.stored.podSubnet) } : {}),
      ...(seen.stored?.serviceSubnet ? { services: list(seen.stored.serviceSubnet) } : {}),
      ...(seen.balancers.length > 0 && seen.endpoint && seen.endpoint.port !== API_SERVER_PORT
        ? { apiServerPort: seen.endpoint.port }
        : {}),
      ...(seen.stored?.dnsDomain ? { serviceDomain: seen.stored.dnsDomain } : {}),
    },
    ...(seen.endpoint ? { controlPlaneEndpoint: seen.endpoint } : {}),
    ...(controlPlane
      ? { controlPlaneRef: { apiGroup: GROUP.controlPlane, kind: 'KubeadmControlPlane', name: controlPlane } }
      : {}),
    infrastructureRef: { apiGroup: GROUP.infrastructure, kind: 'AWSCluster', name: seen.name },
  });

const networkOf = ({ vpc, zones, subnets }: Observed) => ({
  vpc: { ...vpc, ...(zones.length > 0 ? { availabilityZoneUsageLimit: zones.length } : {}) },
  ...(subnets.length > 0 ? { subnets } : {}),
});

/** With another name, a second load balancer would be created. */
const balancerOf = ({ type: loadBalancerType, name, scheme, healthCheckProtocol }: ObservedBalancer) => ({
  loadBalancerType,
  name,
  scheme,
  ...(healthCheckProtocol ? { healthCheckProtocol } : {}),
});

/**
 * The load balancer to which the endpoint leads comes first. An endpoint that belongs to none of them is a user's name
 * for the first, or, if there are none, a user's load balancer.
 */
const balancersOf = ({ balancers, endpoint }: Observed) => {
  const named = endpoint?.host.toLowerCase();
  const first = balancers.find(({ host }) => host.toLowerCase() === named) ?? balancers[0];
  const second = balancers.find((one) => one !== first);
  if (!first) return endpoint ? { controlPlaneLoadBalancer: { loadBalancerType: 'disabled' } } : {};
  return {
    controlPlaneLoadBalancer: balancerOf(first),
    ...(second ? { secondaryControlPlaneLoadBalancer: balancerOf(second) } : {}),
  };
};

const awsCluster = (seen: Observed, name: string): KubeObject =>
  object(GROUP.infrastructure, 'AWSCluster', seen, name, {
    region: seen.region,
    sshKeyName: seen.instances[0]?.keyName ?? '',
    network: networkOf(seen),
    ...(seen.endpoint ? { controlPlaneEndpoint: seen.endpoint } : {}),
    ...balancersOf(seen),
  });

/** A given Cluster may refer to an AWSCluster with a name other than its own. */
const infrastructureName = ({ name }: Observed, given: readonly KubeObject[]): string => {
  const told = given.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === name);
  return (told as Cluster | undefined)?.spec?.infrastructureRef?.name ?? name;
};

/**
 * A given AWSCluster with the observed subnets of the cluster's own VPC, unless it names its own. Its controller chose
 * their zones, in the order of AWS or at random; another choice would not fit them. In a user's VPC, the manifest alone
 * determines the subnets.
 */
const withSubnets = (given: KubeObject, { vpc, subnets }: Observed): KubeObject => {
  const { spec = {} } = given as Partial<AWSCluster>;
  const isOwn = vpc?.cidrBlock !== undefined && subnets.length > 0;
  const isComplete = !isOwn || (spec.network?.subnets?.length ?? 0) > 0;
  return isComplete ? given : ({ ...given, spec: { ...spec, network: { ...spec.network, subnets } } } as KubeObject);
};

const template = (seen: Observed, name: string, machines: readonly Found[]): KubeObject => {
  const instance = machines[0]?.instance;
  return object(GROUP.infrastructure, 'AWSMachineTemplate', seen, name, {
    template: {
      spec: {
        instanceType: instance?.type,
        ami: { id: instance?.imageId },
        ...(instance?.profile ? { iamInstanceProfile: instance.profile } : {}),
      },
    },
  });
};

const infrastructureRef = (name: string) => ({ apiGroup: GROUP.infrastructure, kind: 'AWSMachineTemplate', name });

const controlPlane = (seen: Observed, { owner, machines }: Group): KubeObject[] => [
  object(GROUP.controlPlane, 'KubeadmControlPlane', seen, owner, {
    replicas: machines.length,
    version: oldestVersion(machines),
    machineTemplate: { spec: { infrastructureRef: infrastructureRef(owner) } },
  }),
  template(seen, owner, machines),
];

const deployment = (seen: Observed, name: string, machines: readonly Found[]): KubeObject[] => {
  const labels = { [LABEL.deploymentName]: name };
  const configRef = { apiGroup: GROUP.bootstrap, kind: 'KubeadmConfigTemplate', name };
  return [
    object(GROUP.core, 'MachineDeployment', seen, name, {
      clusterName: seen.name,
      replicas: machines.length,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          clusterName: seen.name,
          version: oldestVersion(machines),
          bootstrap: { configRef },
          infrastructureRef: infrastructureRef(name),
        },
      },
    }),
    template(seen, name, machines),
    object(GROUP.bootstrap, 'KubeadmConfigTemplate', seen, name, { template: { spec: {} } }),
  ];
};

const keyOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

/** `derived`: the objects that contain only what can be observed. */
export const foundationOf = (
  seen: Observed,
  groups: readonly Group[],
  given: readonly KubeObject[],
): { objects: KubeObject[]; derived: ReadonlySet<string> } => {
  const [head] = groups.filter(({ kind }) => kind === 'KubeadmControlPlane');
  const byDeployment = Map.groupBy(
    groups.filter(({ kind }) => kind === 'MachineSet'),
    ({ owner }) => deploymentOf(owner, given),
  );
  const told = [
    cluster(seen, head?.owner),
    awsCluster(seen, infrastructureName(seen, given)),
    ...(head ? controlPlane(seen, head) : []),
    ...[...byDeployment].flatMap(([name, sets]) =>
      deployment(
        seen,
        name,
        sets.flatMap(({ machines }) => machines),
      ),
    ),
  ];
  const infrastructure = `AWSCluster/${infrastructureName(seen, given)}`;
  const own = new Map(
    given.map((one) => {
      const object = { ...one, metadata: { ...one.metadata, namespace: seen.namespace } };
      return [keyOf(one), keyOf(one) === infrastructure ? withSubnets(object, seen) : object];
    }),
  );
  // The objects to which a given object refers were given with it, or exist under its names.
  const isReplaced = (one: KubeObject) =>
    own.has(keyOf(one)) || (/Template$/.test(one.kind) && isOfGiven(one.metadata.name, given));
  const derived = told.filter((one) => !isReplaced(one));
  return { objects: [...own.values(), ...derived], derived: new Set(derived.map(keyOf)) };
};

/** Derived templates have the name of the workload for which they are. */
const isOfGiven = (name: string, given: readonly KubeObject[]): boolean =>
  given.some(({ kind, metadata }) => /^(KubeadmControlPlane|MachineDeployment)$/.test(kind) && metadata.name === name);
