import type { V1Node } from '@kubernetes/client-node';
import type { KubeObject } from '../../kube-api/object.ts';
import { digestOf, isDutyNews, settledDuty, withSettledDuty } from '../duties/settled.ts';
import { balancedNodes } from './nodes.ts';
import { isRead, type ListedService, needOf, type Service, type UnreadService } from './service.ts';

/** The record of the Services and nodes for which all load balancers were last in their desired state. */
export const SERVICES_ENTRY = 'windlass.dev/services';

/** The annotations that providers read. Others, such as kubectl's own, do not affect a load balancer. */
const isConsidered = ([key]: [string, string]): boolean => key.startsWith('service.beta.kubernetes.io/');

const factsOf = (service: Service): unknown => {
  const { resourceVersion: _, createdAt: __, finalizers: ___, ingress: ____, annotations, ...spec } = service;
  return [needOf(service), Object.entries(annotations).filter(isConsidered).sort(), spec];
};

/** Labels are included, because a Service may select its nodes by them. */
const nodeFacts = ({ metadata, spec }: V1Node): unknown => [
  metadata?.name,
  spec?.providerID,
  Object.entries(metadata?.labels ?? {}).sort(),
];

/** Any change may make a Service readable. */
const unreadFacts = ({ uid, resourceVersion }: UnreadService): string => `${uid} ${resourceVersion}`;

/** A hash of everything that determines the load balancers of a cluster. */
export const servicesDigest = (services: readonly ListedService[], nodes: readonly V1Node[]): string => {
  const concerned = services.filter(isRead).filter((service) => needOf(service) !== undefined);
  const unread = services.flatMap((one) => (isRead(one) ? [] : [unreadFacts(one)]));
  const facts = [
    concerned.map((service) => [service.uid, factsOf(service)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    concerned.length > 0 ? balancedNodes(nodes).map(nodeFacts).sort() : [],
    ...(unread.length > 0 ? [unread.sort()] : []),
  ];
  return digestOf(facts);
};

/** Undefined if not all load balancers were in their desired state, or if none were ever checked. */
export const settledServices = (infrastructure: Pick<KubeObject, 'metadata'> | null | undefined): string | undefined =>
  settledDuty(infrastructure, SERVICES_ENTRY);

/** The infrastructure cluster with the entry; undefined if it already has it. */
export const withSettledServices = <T extends KubeObject>(
  infrastructure: T,
  digest: string | undefined,
): T | undefined => withSettledDuty(infrastructure, SERVICES_ENTRY, digest);

/** Whether the load balancers may not be as these Services and nodes need them, or the hourly retry is due. */
export const isServicesNews = (
  infrastructure: Pick<KubeObject, 'metadata'>,
  services: readonly ListedService[],
  nodes: readonly V1Node[],
  isHourly: boolean,
): boolean => isDutyNews(infrastructure, SERVICES_ENTRY, servicesDigest(services, nodes), isHourly);
