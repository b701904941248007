/**
 * What an API server adds to a Service: defaults, and cluster addresses and ports (pkg/registry/core/service). Addresses and
 * ports follow from the Service's uid instead of from an allocator, so two Services may, rarely, have the same.
 */
import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';

interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    externalName?: string;
    ports?: ServicePort[];
    sessionAffinity?: string;
    externalTrafficPolicy?: string;
    internalTrafficPolicy?: string;
    allocateLoadBalancerNodePorts?: boolean;
    healthCheckNodePort?: number;
    ipFamilies?: string[];
    ipFamilyPolicy?: string;
    [field: string]: unknown;
  };
  status?: { loadBalancer?: { ingress?: { hostname?: string; ip?: string }[] }; [field: string]: unknown };
}

type Spec = NonNullable<Service['spec']>;

/** kube-apiserver's `--service-node-port-range`. */
const FIRST_NODE_PORT = 30_000;
const NODE_PORTS = 2_768;

const numberOf = (uid: string, use: string): number =>
  createHash('sha256').update(`${uid} ${use}`).digest().readUInt32BE(0);

/** An address of 10.96.0.0/12, kubeadm's block for Services; not the first 256. */
const addressOf = (uid: string): string => {
  const host = 256 + (numberOf(uid, 'address') % (2 ** 20 - 512));
  return `10.${96 + (host >> 16)}.${(host >> 8) & 255}.${host & 255}`;
};

const freePort = (uid: string, use: string, taken: ReadonlySet<number>): number => {
  let port = FIRST_NODE_PORT + (numberOf(uid, use) % NODE_PORTS);
  while (taken.has(port)) port = FIRST_NODE_PORT + ((port - FIRST_NODE_PORT + 1) % NODE_PORTS);
  return port;
};

const isOpen = ({ type }: Spec): boolean => type === 'NodePort' || type === 'LoadBalancer';

const hasNodePorts = (spec: Spec): boolean => isOpen(spec) && spec.allocateLoadBalancerNodePorts !== false;

const isSamePort = (a: ServicePort, b: ServicePort): boolean =>
  a.port === b.port && (a.protocol ?? 'TCP') === (b.protocol ?? 'TCP');

/** A port keeps its node port through updates that do not mention it, until nothing outside may use it. */
const withNodePorts = (uid: string, spec: Spec, old: Spec | undefined): ServicePort[] => {
  const taken = new Set((spec.ports ?? []).flatMap(({ nodePort }) => nodePort || []));
  return (spec.ports ?? []).map(({ nodePort: given, ...port }) => {
    const before = old?.ports?.find((one) => isSamePort(one, port))?.nodePort;
    if (!isOpen(spec)) return given && given !== before ? { ...port, nodePort: given } : port;
    const kept = given || before;
    if (kept) return { ...port, nodePort: kept };
    if (!hasNodePorts(spec)) return port;
    const nodePort = freePort(uid, `${port.protocol} ${port.port}`, taken);
    taken.add(nodePort);
    return { ...port, nodePort };
  });
};

const addressFields = (uid: string, spec: Spec, old: Spec | undefined): Partial<Spec> => {
  if (spec.type === 'ExternalName') return { clusterIP: undefined, clusterIPs: undefined };
  const clusterIP = spec.clusterIP || old?.clusterIP || addressOf(uid);
  return { clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
};

const outsideFields = (uid: string, spec: Spec, old: Spec | undefined): Partial<Spec> => {
  if (!isOpen(spec)) {
    return {
      externalTrafficPolicy: undefined,
      allocateLoadBalancerNodePorts: undefined,
      healthCheckNodePort: undefined,
    };
  }
  const externalTrafficPolicy = spec.externalTrafficPolicy ?? 'Cluster';
  const isBalanced = spec.type === 'LoadBalancer';
  const isChecked = isBalanced && externalTrafficPolicy === 'Local';
  const port = spec.healthCheckNodePort || old?.healthCheckNodePort || freePort(uid, 'health', new Set());
  return {
    externalTrafficPolicy,
    allocateLoadBalancerNodePorts: isBalanced ? (spec.allocateLoadBalancerNodePorts ?? true) : undefined,
    healthCheckNodePort: isChecked ? port : undefined,
  };
};

/** A Service with everything that its writer left to the API server. Pure. */
export const completeService = (service: Service, old: Service | undefined): Service => {
  const { uid = '' } = service.metadata;
  const { ports = [], ...given } = service.spec ?? {};
  const spec: Spec = {
    type: 'ClusterIP',
    sessionAffinity: 'None',
    internalTrafficPolicy: 'Cluster',
    ...given,
    ports: ports.map((port) => ({ protocol: 'TCP', targetPort: port.port, ...port })),
  };
  const whole = { ...spec, ...addressFields(uid, spec, old?.spec), ...outsideFields(uid, spec, old?.spec) };
  return { ...service, spec: { ...whole, ports: withNodePorts(uid, whole, old?.spec) } };
};
