import type { V1Node } from '@kubernetes/client-node';
import type { KubeObject } from '../../kube-api/object.ts';
import { digestOf, isDutyNews, settledDuty, withSettledDuty } from '../duties/settled.ts';
import { balancedNodes } from './nodes.ts';
import { needOf, type Service } from './service.ts';

/** The record of the Services and nodes for which all load balancers were last in their desired state. */
export const SERVICES_ENTRY = 'windlass.dev/services';

/** The annotations that providers read. Others, such as kubectl's own, do not affect a load balancer. */
const isRead = ([key]: [string, string]): boolean => key.startsWith('service.beta.kubernetes.io/');

const factsOf = (service: Service): unknown => {
  const { resourceVersion: _, finalizers: __, ingress: ___, annotations, ...spec } = service;
  return [needOf(service), Object.entries(annotations).filter(isRead).sort(), spec];
};

/** Labels are included, because a Service may select its nodes by them. */
const nodeFacts = ({ metadata, spec }: V1Node): unknown => [
  metadata?.name,
  spec?.providerID,
  Object.entries(metadata?.labels ?? {}).sort(),
];

/** A hash of everything that determines the load balancers of a cluster. */
export const servicesDigest = (services: readonly Service[], nodes: readonly V1Node[]): string => {
  const concerned = services.filter((service) => needOf(service) !== undefined);
  const facts = [
    concerned.map((service) => [service.uid, factsOf(service)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    concerned.length > 0 ? balancedNodes(nodes).map(nodeFacts).sort() : [],
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
  services: readonly Service[],
  nodes: readonly V1Node[],
  isHourly: boolean,
): boolean => isDutyNews(infrastructure, SERVICES_ENTRY, servicesDigest(services, nodes), isHourly);
