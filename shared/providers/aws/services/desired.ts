import type { V1Node } from '@kubernetes/client-node';
import type { Service, ServicePort } from '../../../plan/services/service.ts';
import { instanceIdIn } from '../plan/launch/instance.ts';
import type { ClusterName } from '../tags.ts';
import { isInternal, listIn, pairsIn, SERVICE_ANNOTATION } from './annotations.ts';
import { balancerAttributes, groupAttributes } from './attributes.ts';
import { checkNetworkSpec } from './check-spec.ts';
import { networkHealthCheck, type ServiceHealthCheck } from './health-check.ts';
import type { DesiredListener, DesiredService } from './model.ts';
import { serviceBalancerName, serviceGroupName } from './names.ts';
import { type Owner, serviceTags } from './service-tags.ts';
import { sourceRanges } from './source-ranges.ts';
import { isTlsPort } from './tls-ports.ts';

/** How a port terminates TLS; nothing if it does not. */
const tlsOf = (service: Service, port: ServicePort) => {
  const { annotations } = service;
  const certificateArn = annotations[SERVICE_ANNOTATION.certificate] ?? '';
  if (certificateArn === '' || port.protocol === 'UDP' || !isTlsPort(service, port)) return undefined;
  return {
    certificateArn,
    sslPolicy: annotations[SERVICE_ANNOTATION.sslPolicy] ?? '',
    backend: annotations[SERVICE_ANNOTATION.backendProtocol] === 'ssl' ? 'TLS' : port.protocol,
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

/** A label in the annotation without a value matches any value (filterTargetNodes). */
const hasLabels = (node: V1Node, wanted: Readonly<Record<string, string>>): boolean =>
  Object.entries(wanted).every(([key, value]) => {
    const own = node.metadata?.labels?.[key];
    return own !== undefined && (value === '' || own === value);
  });

/**
 * The instances to which the Service's load balancer should forward. It must still be proven that they are the
 * cluster's.
 */
export const wantedInstances = ({ annotations }: Service, nodes: readonly V1Node[]): string[] => {
  const wanted = pairsIn(annotations[SERVICE_ANNOTATION.nodeLabels]);
  const ids = nodes
    .filter((node) => hasLabels(node, wanted))
    .flatMap(({ spec }) => instanceIdIn(spec?.providerID ?? '') ?? []);
  return [...new Set(ids)].sort();
};

/**
 * The network load balancer for a Service, as in upstream's EnsureLoadBalancer. `instanceIds`: the cluster's own
 * instances. Throws ServiceProblem before anything is created.
 */
export const desiredService = (owner: Owner, service: Service, instanceIds: readonly string[]): DesiredService => {
  checkNetworkSpec(service);
  const check = networkHealthCheck(service);
  const subnets = listIn(service.annotations[SERVICE_ANNOTATION.subnets]);
  const privateAddresses = listIn(service.annotations[SERVICE_ANNOTATION.privateAddresses]);
  return {
    type: 'network',
    service,
    name: serviceBalancerName(service),
    isInternal: isInternal(service),
    ...(subnets ? { subnets } : {}),
    ...(privateAddresses ? { privateAddresses } : {}),
    tags: serviceTags(owner, service),
    attributes: balancerAttributes(service),
    listeners: service.ports
      .filter(({ nodePort }) => nodePort > 0)
      .map((port) => listenerOf(owner.cluster, service, port, check)),
    groupAttributes: groupAttributes(service),
    sourceRanges: sourceRanges(service),
    instanceIds,
  };
};
