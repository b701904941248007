import {
  DescribeLoadBalancerAttributesCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingClient,
  type HealthCheck,
  type ListenerDescription,
  type LoadBalancerAttributes,
  type LoadBalancerDescription,
  paginateDescribeLoadBalancers,
} from '@aws-sdk/client-elastic-load-balancing';
import { isNotFound } from '../../../../aws/errors.ts';
import { collectPages } from '../../../../aws/pages.ts';
import { mapConcurrently } from '../../../../store/concurrency.ts';
import { fromTagList, type Tags } from '../../tags.ts';
import type { ClassicAttributes, ClassicCheck, ObservedClassic, ObservedClassicListener } from './model.ts';

export interface ClassicReads {
  /**
   * The existing load balancers among these names, by name. Costs a list of the region, the tags (twenty per call), and
   * a call for the attributes of each. Without names there is no call at all.
   */
  observeClassics(names: readonly string[]): Promise<ReadonlyMap<string, ObservedClassic>>;
}

/** ELB's maximum page size. It has no filters, and a list of names fails if one of them is unknown. */
const PAGE = 400;
const NAMES_AT_ONCE = 20;
const AT_ONCE = 6;

const toListener = ({ Listener = {} as never, PolicyNames = [] }: ListenerDescription): ObservedClassicListener => {
  const { Protocol = '', InstanceProtocol = Protocol, SSLCertificateId } = Listener;
  return {
    port: Listener.LoadBalancerPort ?? 0,
    protocol: Protocol.toUpperCase(),
    instancePort: Listener.InstancePort ?? 0,
    instanceProtocol: InstanceProtocol.toUpperCase(),
    ...(SSLCertificateId ? { certificateArn: SSLCertificateId } : {}),
    policies: PolicyNames,
  };
};

const toCheck = (check: HealthCheck | undefined): ClassicCheck => ({
  target: check?.Target ?? '',
  intervalSeconds: check?.Interval ?? 0,
  timeoutSeconds: check?.Timeout ?? 0,
  healthyThreshold: check?.HealthyThreshold ?? 0,
  unhealthyThreshold: check?.UnhealthyThreshold ?? 0,
});

const toAttributes = (found: LoadBalancerAttributes | undefined): ClassicAttributes => {
  const { AccessLog, ConnectionDraining, ConnectionSettings, CrossZoneLoadBalancing } = found ?? {};
  const {
    S3BucketName: bucket = '',
    S3BucketPrefix: prefix = '',
    EmitInterval: intervalMinutes = 60,
  } = AccessLog ?? {};
  return {
    isCrossZone: CrossZoneLoadBalancing?.Enabled ?? false,
    idleSeconds: ConnectionSettings?.IdleTimeout ?? 0,
    ...(ConnectionDraining?.Enabled ? { drainingSeconds: ConnectionDraining.Timeout ?? 300 } : {}),
    ...(AccessLog?.Enabled ? { accessLog: { bucket, prefix, intervalMinutes } } : {}),
  };
};

const toObserved = (
  found: LoadBalancerDescription,
  tags: Tags,
  attributes: LoadBalancerAttributes | undefined,
): ObservedClassic => ({
  name: found.LoadBalancerName ?? '',
  dnsName: found.DNSName ?? '',
  vpcId: found.VPCId ?? '',
  subnetIds: found.Subnets ?? [],
  groupIds: found.SecurityGroups ?? [],
  tags,
  attributes: toAttributes(attributes),
  listeners: (found.ListenerDescriptions ?? []).map(toListener),
  backends: new Map(
    (found.BackendServerDescriptions ?? []).map(({ InstancePort = 0, PolicyNames = [] }) => [
      InstancePort,
      PolicyNames,
    ]),
  ),
  policies: found.Policies?.OtherPolicies ?? [],
  check: toCheck(found.HealthCheck),
  instanceIds: (found.Instances ?? []).flatMap(({ InstanceId }) => InstanceId ?? []),
});

/** Undefined if the resource disappears while it is read. */
const orGone = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const readTags = async (
  client: ElasticLoadBalancingClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, Tags>> => {
  const tags = new Map<string, Tags>();
  const describe = async (LoadBalancerNames: readonly string[]): Promise<void> => {
    const command = new DescribeTagsCommand({ LoadBalancerNames: [...LoadBalancerNames] });
    const { TagDescriptions = [] } = await client.send(command);
    for (const { LoadBalancerName = '', Tags: found } of TagDescriptions)
      tags.set(LoadBalancerName, fromTagList(found));
  };
  for (let index = 0; index < names.length; index += NAMES_AT_ONCE) {
    const chunk = names.slice(index, index + NAMES_AT_ONCE);
    try {
      await describe(chunk);
    } catch (error) {
      // One of them is gone; the others still have tags.
      if (!isNotFound(error)) throw error;
      for (const name of chunk) await orGone(() => describe([name]));
    }
  }
  return tags;
};

const observe = async (
  client: ElasticLoadBalancingClient,
  names: readonly string[],
): Promise<ReadonlyMap<string, ObservedClassic>> => {
  if (names.length === 0) return new Map();
  const pages = paginateDescribeLoadBalancers({ client, pageSize: PAGE }, {});
  const all = await collectPages(pages, (page) => page.LoadBalancerDescriptions);
  const wanted = new Set(names);
  const found = all.filter(({ LoadBalancerName = '' }) => wanted.has(LoadBalancerName));
  const tags = await readTags(
    client,
    found.map(({ LoadBalancerName = '' }) => LoadBalancerName),
  );
  const observed = await mapConcurrently(found, AT_ONCE, async (one) => {
    const LoadBalancerName = one.LoadBalancerName ?? '';
    const own = tags.get(LoadBalancerName);
    const answer = await orGone(() => client.send(new DescribeLoadBalancerAttributesCommand({ LoadBalancerName })));
    return own && answer ? [[LoadBalancerName, toObserved(one, own, answer.LoadBalancerAttributes)] as const] : [];
  });
  return new Map(observed.flat());
};

/** The read part of the port, implemented with ELB. Errors are the SDK's. */
export const classicReads = (client: ElasticLoadBalancingClient): ClassicReads => ({
  observeClassics: (names) => observe(client, names),
});
