import type { V1Node } from '@kubernetes/client-node';
import type { Service, ServicePort } from '../../../plan/services/service.ts';
import { instanceIdIn } from '../plan/launch/instance.ts';
import type { ClusterName } from '../tags.ts';
import { isInternal, isNetworkType, listIn, pairsIn, SERVICE_ANNOTATION, ServiceProblem } from './annotations.ts';
import { balancerAttributes, groupAttributes } from './attributes.ts';
import { networkHealthCheck, type ServiceHealthCheck } from './health-check.ts';
import type { DesiredListener, DesiredService } from './model.ts';
import { serviceBalancerName, serviceGroupName } from './names.ts';
import { serviceTags } from './service-tags.ts';
import { sourceRanges } from './source-ranges.ts';

/** Annotations that are refused, because what they name cannot be proven to be the tenant's. */
const REFUSED = [SERVICE_ANNOTATION.extraSecurityGroups, SERVICE_ANNOTATION.addresses];

const checkSpec = (service: Service): void => {
  const { annotations, ports, sessionAffinity, loadBalancerIP } = service;
  const refuse = (message: string) => {
    throw new ServiceProblem(message);
  };
  if (!isNetworkType(service)) {
    refuse(`annotation ${SERVICE_ANNOTATION.type}: must be nlb; classic load balancers are not offered`);
  }
  if (sessionAffinity !== 'None') refuse(`spec.sessionAffinity: must be None, not ${sessionAffinity}`);
  if (loadBalancerIP !== '') refuse('spec.loadBalancerIP: cannot be chosen on AWS; remove it');
  if (new Set(ports.map(({ protocol }) => protocol)).size > 1) {
    refuse('spec.ports: all ports of a load balancer must have the same protocol');
  }
  const wrong = ports.find(({ protocol }) => protocol !== 'TCP' && protocol !== 'UDP');
  if (wrong) refuse(`spec.ports: protocol ${wrong.protocol} is not supported, only TCP and UDP`);
  if (!ports.some(({ nodePort }) => nodePort > 0)) refuse('spec.ports: no port has a node port');
  const refused = REFUSED.find((name) => annotations[name] !== undefined);
  if (refused) refuse(`annotation ${refused}: is not supported; remove it`);
};

/** Names and numbers of the ports that end TLS; undefined: all of them. */
const tlsPorts = ({ annotations }: Service): readonly string[] | undefined => {
  const text = annotations[SERVICE_ANNOTATION.sslPorts] ?? '';
  return text === '' || text === '*' ? undefined : text.split(',');
};

/** How a port ends TLS; nothing if it does not. */
const tlsOf = (service: Service, { name, port, protocol }: ServicePort) => {
  const { annotations } = service;
  const certificateArn = annotations[SERVICE_ANNOTATION.certificate] ?? '';
  const ports = tlsPorts(service);
  const isMeant = ports?.some((one) => one === name || Number(one) === port) ?? true;
  if (certificateArn === '' || protocol === 'UDP' || !isMeant) return undefined;
  return {
    certificateArn,
    sslPolicy: annotations[SERVICE_ANNOTATION.sslPolicy] ?? '',
    backend: annotations[SERVICE_ANNOTATION.backendProtocol] === 'ssl' ? 'TLS' : protocol,
  };
};

const listenerOf = (
  cluster: ClusterName,
  service: Service,
  port: ServicePort,
  check: ServiceHealthCheck,
): DesiredListener => {
  const tls = tlsOf(service, port);
  const group = { port: port.nodePort, protocol: tls?.backend ?? port.protocol, check };
  const facts = { port: port.port, nodePort: port.nodePort, protocol: group.protocol, check };
  return {
    port: port.port,
    protocol: tls ? 'TLS' : port.protocol,
    ...(tls ? { certificateArn: tls.certificateArn, sslPolicy: tls.sslPolicy } : {}),
    group: { ...group, name: serviceGroupName(cluster, service, facts) },
  };
};

/** A label of the annotation without a value matches any (filterTargetNodes). */
const hasLabels = (node: V1Node, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([key, value]) => {
    const own = node.metadata?.labels?.[key];
    return own !== undefined && (value === '' || own === value);
  });

/** The instances that the Service's load balancer sends to. Whether they are the cluster's is still to be proven. */
export const wantedInstances = ({ annotations }: Service, nodes: readonly V1Node[]): string[] => {
  const wanted = pairsIn(annotations[SERVICE_ANNOTATION.nodeLabels]);
  const ids = nodes
    .filter((node) => hasLabels(node, wanted))
    .flatMap(({ spec }) => instanceIdIn(spec?.providerID ?? '') ?? []);
  return [...new Set(ids)].sort();
};

/**
 * The load balancer that a Service asks for, as upstream's EnsureLoadBalancer. `instanceIds`: of the cluster's own
 * instances. Throws ServiceProblem, before anything is made.
 */
export const desiredService = (
  cluster: ClusterName,
  service: Service,
  instanceIds: readonly string[],
): DesiredService => {
  checkSpec(service);
  const check = networkHealthCheck(service);
  const subnets = listIn(service.annotations[SERVICE_ANNOTATION.subnets]);
  const privateAddresses = listIn(service.annotations[SERVICE_ANNOTATION.privateAddresses]);
  return {
    service,
    name: serviceBalancerName(service),
    isInternal: isInternal(service),
    ...(subnets ? { subnets } : {}),
    ...(privateAddresses ? { privateAddresses } : {}),
    tags: serviceTags(cluster, service),
    attributes: balancerAttributes(service),
    listeners: service.ports
      .filter(({ nodePort }) => nodePort > 0)
      .map((port) => listenerOf(cluster, service, port, check)),
    groupAttributes: groupAttributes(service),
    sourceRanges: sourceRanges(service),
    instanceIds,
  };
};
