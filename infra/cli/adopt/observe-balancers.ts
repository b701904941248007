/** The load balancers of a cluster's API, of both generations, by their tags. */
import {
  type ElasticLoadBalancingClient,
  type LoadBalancerDescription,
  paginateDescribeLoadBalancers as paginateClassic,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  type ElasticLoadBalancingV2Client,
  type LoadBalancer,
  paginateDescribeListeners,
  paginateDescribeLoadBalancers,
  paginateDescribeTargetGroups,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { collectPages } from '../../../shared/aws/pages.ts';
import { classicTags } from '../../../shared/providers/aws/api/balancing-garbage.ts';
import { elbv2Reads } from '../../../shared/providers/aws/load-balancer/api.ts';
import { API_SERVER_PORT } from '../../../shared/providers/aws/network/security-groups/rules.ts';
import { SERVICE_ROLE } from '../../../shared/providers/aws/services/service-tags.ts';
import { type ClusterName, isOwnedBy, ROLE_TAG, type Tags } from '../../../shared/providers/aws/tags.ts';
import type { ObservedBalancer } from './observed.ts';

/** The prefix of the API's target groups, upstream's and ours; those of other listeners have other names. */
const API_TARGETS = 'apiserver-target-';

const schemeOf = (scheme: string | undefined) => (scheme === 'internal' ? 'internal' : 'internet-facing');

/** The data about the API: of several listeners, the one that forwards to the API servers. */
const apiOf = async (
  client: ElasticLoadBalancingV2Client,
  arn: string,
): Promise<Pick<ObservedBalancer, 'port' | 'healthCheckProtocol'>> => {
  const of = { LoadBalancerArn: arn };
  const [listeners, groups] = await Promise.all([
    collectPages(paginateDescribeListeners({ client }, of), (page) => page.Listeners),
    collectPages(paginateDescribeTargetGroups({ client }, of), (page) => page.TargetGroups),
  ]);
  const api = groups.find(({ TargetGroupName }) => TargetGroupName?.startsWith(API_TARGETS));
  const listener = listeners.find(({ DefaultActions = [] }) =>
    DefaultActions.some(({ TargetGroupArn }) => api && TargetGroupArn === api.TargetGroupArn),
  );
  return {
    port: listener?.Port ?? API_SERVER_PORT,
    ...(api?.HealthCheckProtocol ? { healthCheckProtocol: api.HealthCheckProtocol } : {}),
  };
};

const toObserved = async (client: ElasticLoadBalancingV2Client, found: LoadBalancer): Promise<ObservedBalancer[]> => {
  if (!found.DNSName) return [];
  const api = await apiOf(client, found.LoadBalancerArn ?? '');
  const subnets = (found.AvailabilityZones ?? []).flatMap(({ SubnetId }) => SubnetId ?? []);
  const name = found.LoadBalancerName ?? '';
  return [{ type: 'nlb', name, scheme: schemeOf(found.Scheme), host: found.DNSName, ...api, subnets }];
};

/** Load balancers of Services belong to the workload cluster; adoption needs only those of the API. */
const isOwn = (owner: ClusterName, tags: Tags): boolean => isOwnedBy(owner, tags) && tags[ROLE_TAG] !== SERVICE_ROLE;

const network = async (client: ElasticLoadBalancingV2Client, owner: ClusterName): Promise<ObservedBalancer[]> => {
  const all = await collectPages(paginateDescribeLoadBalancers({ client }, {}), (page) => page.LoadBalancers);
  const tags = await elbv2Reads(client).describeTags(all.flatMap(({ LoadBalancerArn }) => LoadBalancerArn ?? []));
  const own = all.filter(({ LoadBalancerArn = '' }) => isOwn(owner, tags.get(LoadBalancerArn) ?? {}));
  return (await Promise.all(own.map((found) => toObserved(client, found)))).flat();
};

/** A classic load balancer has one listener, that of the API. The target of a health check is `PROTOCOL:port/path`. */
const toObservedClassic = (found: LoadBalancerDescription): ObservedBalancer[] => {
  if (!found.DNSName) return [];
  const healthCheckProtocol = found.HealthCheck?.Target?.split(':')[0];
  return [
    {
      type: 'classic',
      name: found.LoadBalancerName ?? '',
      scheme: schemeOf(found.Scheme),
      host: found.DNSName,
      port: found.ListenerDescriptions?.[0]?.Listener?.LoadBalancerPort ?? API_SERVER_PORT,
      ...(healthCheckProtocol ? { healthCheckProtocol } : {}),
      subnets: found.Subnets ?? [],
    },
  ];
};

const classic = async (client: ElasticLoadBalancingClient, owner: ClusterName): Promise<ObservedBalancer[]> => {
  const all = await collectPages(paginateClassic({ client }, {}), (page) => page.LoadBalancerDescriptions);
  const names = all.flatMap(({ LoadBalancerName }) => LoadBalancerName ?? []);
  const tags = await classicTags(client, names);
  const own = all.filter(({ LoadBalancerName = '' }) => isOwn(owner, tags.get(LoadBalancerName) ?? {}));
  return own.flatMap(toObservedClassic);
};

export interface BalancerSources {
  elb: ElasticLoadBalancingV2Client;
  classicElb: ElasticLoadBalancingClient;
}

/** The cluster's own load balancers; those that can be reached from the internet come first. */
export const observeBalancers = async (
  { elb, classicElb }: BalancerSources,
  owner: ClusterName,
): Promise<ObservedBalancer[]> =>
  (await Promise.all([network(elb, owner), classic(classicElb, owner)]))
    .flat()
    .sort((a, b) => Number(a.scheme === 'internal') - Number(b.scheme === 'internal'));
