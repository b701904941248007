import type { AWSCluster, LoadBalancerSpec } from '../../../kinds/index.ts';
import { HEALTH_CHECK_TIMES } from '../../../kinds/rules/aws/health-check.ts';
import { API_SERVER_PORT } from '../network/security-groups/rules.ts';
import { isCoreSubnet } from '../network/subnets/kinds.ts';
import { areOnRecord } from '../network/subnets/on-record.ts';
import { addressPoolOf } from '../plan/addresses/pool.ts';
import { buildTags, type ClusterName, type Tags } from '../tags.ts';
import { CROSS_ZONE, IDLE_TIMEOUT } from './attributes.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import { givenHost, ownEndpoint } from './endpoint.ts';
import { loadBalancerName, targetGroupNames } from './names.ts';
import { recordedTargetGroupNames } from './recorded.ts';
import { type BalancerRole, balancerRecordOf, balancerSpecOf } from './roles.ts';
import { balancerPlaces } from './subnets.ts';
import { hasFamily } from './target-groups/families.ts';
import type { DesiredTargetGroup, HealthCheck } from './target-groups/model.ts';

export interface DesiredInput {
  cluster: ClusterName;
  clusterUid: string;
  awsCluster: AWSCluster;
  /** Cluster.spec.clusterNetwork.apiServerPort: the port that clients use. Machines listen on 6443 in any case. */
  apiServerPort?: number;
}

const TIMES = HEALTH_CHECK_TIMES;

type Times = Partial<typeof TIMES>;

const withTimes = (times: Times = {}): typeof TIMES => ({
  intervalSeconds: times.intervalSeconds ?? TIMES.intervalSeconds,
  timeoutSeconds: times.timeoutSeconds ?? TIMES.timeoutSeconds,
  thresholdCount: times.thresholdCount ?? TIMES.thresholdCount,
  unhealthyThresholdCount: times.unhealthyThresholdCount ?? TIMES.unhealthyThresholdCount,
});

const isHttp = (protocol: string): boolean => protocol === 'HTTP' || protocol === 'HTTPS';

const apiHealthCheck = ({ healthCheckProtocol = 'TCP', healthCheck }: LoadBalancerSpec): HealthCheck => ({
  protocol: healthCheckProtocol,
  port: String(API_SERVER_PORT),
  ...(isHttp(healthCheckProtocol) ? { path: '/readyz' } : {}),
  ...withTimes(healthCheck),
});

type AdditionalListener = NonNullable<LoadBalancerSpec['additionalListeners']>[number];

const additionalHealthCheck = ({ port, healthCheck = {} }: AdditionalListener): HealthCheck => {
  const protocol = healthCheck.protocol ?? 'TCP';
  return {
    protocol,
    port: healthCheck.port ?? String(port),
    ...(isHttp(protocol) ? { path: healthCheck.path ?? '/' } : {}),
    ...withTimes(healthCheck),
  };
};

/**
 * Connections survive a failing health check: an API server that is slow for a moment keeps its watches, and has five
 * minutes to recover. Client addresses are not preserved unless configured, so that a machine can reach itself.
 */
const targetGroupAttributes = ({ preserveClientIP = false }: LoadBalancerSpec) => ({
  'target_health_state.unhealthy.connection_termination.enabled': 'false',
  'target_health_state.unhealthy.draining_interval_seconds': '300',
  'preserve_client_ip.enabled': String(preserveClientIP),
});

type AddressFamily = Pick<DesiredTargetGroup, 'ipType' | 'mayStay'>;

/**
 * The address family of targets, unless the spec sets it: IPv6 if the VPC and all subnets for machines have it
 * (upstream's rule). An existing group is kept as long as any of these subnets has its family. If a cluster gets IPv6
 * later, its machines have no primary IPv6 address and are not accepted by any IPv6 group, and a new group has no
 * healthy target for a minute or more, during which the API could not be reached. Control plane machines are placed
 * where the group reaches them (target-groups/families.ts).
 */
const machineFamily = (awsCluster: AWSCluster, spec: LoadBalancerSpec): AddressFamily => {
  const privates = (awsCluster.spec.network?.subnets ?? []).filter((one) => isCoreSubnet(one) && !one.isPublic);
  // An IPv4 load balancer has no IPv6 target groups.
  if (balancerPlaces(awsCluster, spec).ipAddressType === 'ipv4') return { ipType: 'ipv4' };
  const ipType = privates.every(({ isIpv6 }) => isIpv6) ? 'ipv6' : 'ipv4';
  const mayStay = ipType === 'ipv6' ? 'ipv4' : 'ipv6';
  return { ipType, ...(privates.length === 0 || privates.some(hasFamily(mayStay)) ? { mayStay } : {}) };
};

/** Upstream appends five random characters to these. */
const PREFIXES = { api: 'apiserver-target-', additional: 'additional-listener-' } as const;

const listeners = (
  input: DesiredInput,
  spec: LoadBalancerSpec,
  balancer: BalancerRole,
): DesiredLoadBalancing['listeners'] => {
  const attributes = targetGroupAttributes(spec);
  const group = (
    port: number,
    role: keyof typeof PREFIXES,
    healthCheck: HealthCheck,
    ipType?: 'ipv4' | 'ipv6',
  ): DesiredTargetGroup => ({
    names: targetGroupNames(input.clusterUid, port, role === 'api', balancer),
    prefix: PREFIXES[role],
    port,
    ...(ipType ? { ipType } : machineFamily(input.awsCluster, spec)),
    healthCheck,
    attributes,
  });
  return [
    {
      port: input.apiServerPort ?? API_SERVER_PORT,
      targetGroup: group(API_SERVER_PORT, 'api', apiHealthCheck(spec), spec.targetGroupIPType),
    },
    ...(spec.additionalListeners ?? []).map((listener) => ({
      port: listener.port,
      targetGroup: group(listener.port, 'additional', additionalHealthCheck(listener), listener.targetGroupIPType),
    })),
  ];
};

/** Upstream's value: connections of watches may be silent for minutes. */
const CLASSIC_IDLE_SECONDS = 600;

/**
 * A classic load balancer has one health check, is its own only target group, and has no additional listeners in
 * upstream.
 */
const classicListeners = (
  { apiServerPort = API_SERVER_PORT }: DesiredInput,
  name: string,
  spec: LoadBalancerSpec,
): DesiredLoadBalancing['listeners'] => {
  const group = { names: [name], prefix: name, port: API_SERVER_PORT, ipType: 'ipv4', attributes: {} } as const;
  return [{ port: apiServerPort, targetGroup: { ...group, healthCheck: apiHealthCheck(spec) } }];
};

const attributesOf = ({
  loadBalancerType,
  crossZoneLoadBalancing = false,
}: LoadBalancerSpec): DesiredLoadBalancing['attributes'] => ({
  [CROSS_ZONE]: String(crossZoneLoadBalancing),
  ...(loadBalancerType === 'classic' ? { [IDLE_TIMEOUT]: String(CLASSIC_IDLE_SECONDS) } : {}),
});

/** Only network load balancers accept existing addresses. */
const poolOf = (
  { spec }: AWSCluster,
  { loadBalancerType, scheme }: LoadBalancerSpec,
): Pick<DesiredLoadBalancing, 'addressPool'> => {
  const isPublic = loadBalancerType !== 'classic' && scheme !== 'internal';
  const addressPool = isPublic ? addressPoolOf(spec.network?.vpc?.elasticIpPool) : undefined;
  return addressPool ? { addressPool } : {};
};

/** Tags that the status lists for the load balancer but that are no longer wanted. */
const staleTags = (awsCluster: AWSCluster, role: BalancerRole, tags: Tags): string[] =>
  Object.keys(balancerRecordOf(awsCluster, role)?.tags ?? {}).filter((key) => tags[key] === undefined);

/** Nodes, kubeconfigs and certificates only contain the name of the first load balancer. */
const endpointOf = (
  awsCluster: AWSCluster,
  role: BalancerRole,
): Pick<DesiredLoadBalancing, 'recordedHost' | 'ownEndpoint'> => {
  if (role === 'secondary') return {};
  const host = givenHost(awsCluster);
  const own = ownEndpoint(awsCluster);
  return { ...(host ? { recordedHost: host } : {}), ...(own ? { ownEndpoint: own } : {}) };
};

/**
 * A load balancer of an AWSCluster; undefined if it has none, or while its network is not recorded. One difference from
 * upstream: with a custom API port, the listener also has that port.
 */
export const desiredLoadBalancing = (
  input: DesiredInput,
  role: BalancerRole = 'primary',
): DesiredLoadBalancing | undefined => {
  const { cluster, awsCluster } = input;
  const spec = balancerSpecOf(awsCluster, role);
  const vpcId = awsCluster.spec.network?.vpc?.id;
  const groupId = awsCluster.status?.networkStatus?.securityGroups?.['apiserver-lb']?.id;
  if (!spec || !vpcId || !groupId || !areOnRecord(awsCluster)) return undefined;
  const name = loadBalancerName(cluster, awsCluster, role);
  const tags = buildTags({ cluster, name, role: 'apiserver', additional: awsCluster.spec.additionalTags });
  const isClassic = spec.loadBalancerType === 'classic';
  return {
    role,
    type: isClassic ? 'classic' : 'network',
    name,
    isNamed: spec.name !== undefined,
    scheme: spec.scheme === 'internal' ? 'internal' : 'internet-facing',
    vpcId,
    ...balancerPlaces(awsCluster, spec),
    securityGroupIds: [groupId, ...(spec.additionalSecurityGroups ?? [])],
    ...poolOf(awsCluster, spec),
    tags,
    staleTags: staleTags(awsCluster, role, tags),
    attributes: attributesOf(spec),
    listeners: isClassic ? classicListeners(input, name, spec) : listeners(input, spec, role),
    recordedGroups: recordedTargetGroupNames(awsCluster, role),
    ...endpointOf(awsCluster, role),
  };
};
