import {
  DescribeLoadBalancerAttributesCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  type Listener,
  type LoadBalancer,
  paginateDescribeListeners,
  paginateDescribeLoadBalancers,
  paginateDescribeTargetGroups,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { isNotFound } from '../../../aws/errors.ts';
import { collectPages } from '../../../aws/pages.ts';
import { mapConcurrently } from '../../../store/concurrency.ts';
import { readPresentTags } from '../load-balancer/tags/api.ts';
import { fromTagList, type Tags } from '../tags.ts';
import type {
  ObservedGroup,
  ObservedService,
  ObservedServiceBalancer,
  ObservedServiceListener,
  Target,
} from './model.ts';

/** The names of a Service's resources. */
export interface Sought {
  readonly balancer: string;
  /** The prefix of the names of its target groups. */
  readonly groupPrefix: string;
  /** Whether the attributes of its target groups must be read. */
  readonly withAttributes: boolean;
  /** Whether a target group is its own. Groups of other clusters may have the same prefix, and are not read further. */
  isOwn(tags: Tags): boolean;
}

export interface ServiceReads {
  /**
   * The existing resources of each, by the name of its load balancer. Costs two lists of the region and the tags
   * (twenty per call) for all, then for each load balancer its listeners and attributes, and for each of its own target
   * groups the targets. No call if nothing is sought.
   */
  observeServices(sought: readonly Sought[]): Promise<ReadonlyMap<string, ObservedService>>;
}

/** ELB's maximum page size; it has no filters. */
const PAGE = 400;
const AT_ONCE = 6;

const listAll = async (client: ElasticLoadBalancingV2Client) => {
  const paged = { client, pageSize: PAGE };
  const [balancers, groups] = await Promise.all([
    collectPages(paginateDescribeLoadBalancers(paged, {}), (page) => page.LoadBalancers),
    collectPages(paginateDescribeTargetGroups(paged, {}), (page) => page.TargetGroups),
  ]);
  return { balancers, groups };
};

/** A resource that disappears while it is read counts as absent; `tags` has only those that were there then. */
const readPresent = async <T>(
  tags: ReadonlyMap<string, Tags>,
  arn: string | undefined,
  read: (own: Tags) => Promise<T>,
): Promise<T | undefined> => {
  const own = tags.get(arn ?? '');
  if (!own) return undefined;
  try {
    return await read(own);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const toListener = (found: Listener): ObservedServiceListener => ({
  arn: found.ListenerArn ?? '',
  port: found.Port ?? 0,
  protocol: found.Protocol ?? '',
  groupArn: found.DefaultActions?.[0]?.TargetGroupArn ?? '',
  ...(found.Certificates?.[0]?.CertificateArn ? { certificateArn: found.Certificates[0].CertificateArn } : {}),
  ...(found.SslPolicy ? { sslPolicy: found.SslPolicy } : {}),
});

const readBalancer = async (
  client: ElasticLoadBalancingV2Client,
  found: LoadBalancer,
  tags: Tags,
): Promise<Pick<ObservedService, 'balancer' | 'listeners'>> => {
  const LoadBalancerArn = found.LoadBalancerArn ?? '';
  const [listeners, { Attributes }] = await Promise.all([
    collectPages(paginateDescribeListeners({ client }, { LoadBalancerArn }), (page) => page.Listeners),
    client.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn })),
  ]);
  const balancer: ObservedServiceBalancer = {
    arn: LoadBalancerArn,
    dnsName: found.DNSName ?? '',
    state: found.State?.Code ?? 'provisioning',
    type: found.Type ?? '',
    vpcId: found.VpcId ?? '',
    subnetIds: (found.AvailabilityZones ?? []).flatMap(({ SubnetId }) => SubnetId ?? []),
    tags,
    attributes: fromTagList(Attributes),
  };
  return { balancer, listeners: listeners.map(toListener) };
};

const readTargets = async (client: ElasticLoadBalancingV2Client, TargetGroupArn: string): Promise<Target[]> => {
  const { TargetHealthDescriptions = [] } = await client.send(new DescribeTargetHealthCommand({ TargetGroupArn }));
  return TargetHealthDescriptions.flatMap(({ Target: { Id, Port } = {}, TargetHealth }) =>
    Id && Port && TargetHealth?.State !== 'draining' ? [{ instanceId: Id, port: Port }] : [],
  );
};

const protocolOf = (text: string | undefined): ObservedGroup['check']['protocol'] =>
  text === 'HTTP' || text === 'HTTPS' ? text : 'TCP';

const toGroup = (found: TargetGroup, tags: Tags): ObservedGroup => ({
  arn: found.TargetGroupArn ?? '',
  name: found.TargetGroupName ?? '',
  vpcId: found.VpcId ?? '',
  port: found.Port ?? 0,
  tags,
  balancers: found.LoadBalancerArns ?? [],
  targets: [],
  attributes: {},
  check: {
    protocol: protocolOf(found.HealthCheckProtocol),
    port: found.HealthCheckPort ?? 'traffic-port',
    ...(found.HealthCheckPath ? { path: found.HealthCheckPath } : {}),
    intervalSeconds: found.HealthCheckIntervalSeconds ?? 0,
    healthyThreshold: found.HealthyThresholdCount ?? 0,
    unhealthyThreshold: found.UnhealthyThresholdCount ?? 0,
  },
});

/** The targets of another cluster's group are not read: that would cost a call for each of the clusters. */
const readGroup = async (
  client: ElasticLoadBalancingV2Client,
  found: TargetGroup,
  tags: Tags,
  { withAttributes, isOwn }: Sought,
): Promise<ObservedGroup> => {
  const group = toGroup(found, tags);
  if (!isOwn(tags)) return group;
  const TargetGroupArn = group.arn;
  const attributes = () => client.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn }));
  const [targets, { Attributes }] = await Promise.all([
    readTargets(client, TargetGroupArn),
    withAttributes ? attributes() : { Attributes: [] },
  ]);
  return { ...group, targets, attributes: fromTagList(Attributes) };
};

const observe = async (
  client: ElasticLoadBalancingV2Client,
  sought: readonly Sought[],
): Promise<ReadonlyMap<string, ObservedService>> => {
  if (sought.length === 0) return new Map();
  const all = await listAll(client);
  const found = sought.map((one) => ({
    one,
    balancer: all.balancers.find(({ LoadBalancerName }) => LoadBalancerName === one.balancer),
    groups: all.groups.filter(({ TargetGroupName }) => TargetGroupName?.startsWith(one.groupPrefix)),
  }));
  const arns = found.flatMap(({ balancer, groups }) => [
    ...(balancer?.LoadBalancerArn ? [balancer.LoadBalancerArn] : []),
    ...groups.flatMap(({ TargetGroupArn }) => TargetGroupArn ?? []),
  ]);
  const tags = await readPresentTags(client, [...new Set(arns)]);
  const observed = await mapConcurrently(found, AT_ONCE, async ({ one, balancer, groups }) => {
    const [whole, ...parts] = await Promise.all([
      balancer && readPresent(tags, balancer.LoadBalancerArn, (own) => readBalancer(client, balancer, own)),
      ...groups.map((group) => readPresent(tags, group.TargetGroupArn, (own) => readGroup(client, group, own, one))),
    ]);
    const seen: ObservedService = { listeners: [], ...whole, groups: parts.flatMap((part) => part ?? []) };
    return [one.balancer, seen] as const;
  });
  return new Map(observed);
};

/** The read part of the port, implemented with ELBv2. Errors are the SDK's. */
export const serviceReads = (client: ElasticLoadBalancingV2Client): ServiceReads => ({
  observeServices: (sought) => observe(client, sought),
});
