import { classicServices } from './classic-services.ts';
import { CERTIFICATE, port, type Wished } from './wished.ts';

/** Services with network load balancers. Each is named after what it tests. */
const NETWORK: Readonly<Record<string, Wished>> = {
  plain: {},
  ports: { spec: { ports: [port(80), port(443)] } },
  udp: { spec: { ports: [port(53, { protocol: 'UDP' })] } },
  internal: { annotations: { internal: 'true' } },
  'not-internal': { annotations: { internal: 'false' } },
  local: { spec: { externalTrafficPolicy: 'Local' } },
  'local-udp': { spec: { externalTrafficPolicy: 'Local', ports: [port(53, { protocol: 'UDP' })] } },
  ranges: { spec: { loadBalancerSourceRanges: ['192.0.2.0/24', '198.51.100.7/32'] } },
  'ranges-local': { spec: { loadBalancerSourceRanges: ['192.0.2.0/24'], externalTrafficPolicy: 'Local' } },
  tags: { annotations: { 'additional-resource-tags': 'team=a,cost=,empty' } },
  zones: { annotations: { 'cross-zone-load-balancing-enabled': 'true' } },
  logs: {
    annotations: {
      'access-log-enabled': 'true',
      'access-log-s3-bucket-name': 'bucket',
      'access-log-s3-bucket-prefix': 'prefix',
    },
  },
  check: {
    annotations: {
      'healthcheck-protocol': 'http',
      'healthcheck-port': '10256',
      'healthcheck-path': '/healthz',
      'healthcheck-interval': '10',
      'healthcheck-healthy-threshold': '4',
      'healthcheck-unhealthy-threshold': '4',
    },
  },
  'check-local': { annotations: { 'healthcheck-protocol': 'tcp' }, spec: { externalTrafficPolicy: 'Local' } },
  tls: { annotations: { 'ssl-cert': CERTIFICATE }, spec: { ports: [port(443)] } },
  'tls-some': {
    annotations: { 'ssl-cert': CERTIFICATE, 'ssl-ports': '443', 'ssl-negotiation-policy': 'ELBSecurityPolicy-TLS13' },
    spec: { ports: [port(80), port(443)] },
  },
  'tls-backend': {
    annotations: { 'ssl-cert': CERTIFICATE, 'ssl-ports': 'p443', 'backend-protocol': 'ssl' },
    spec: { ports: [port(443)] },
  },
  attributes: { annotations: { 'target-group-attributes': 'proxy_protocol_v2.enabled=true' } },
  labelled: { annotations: { 'target-node-labels': 'pool=a' } },
  external: { annotations: { type: 'external' } },
  class: { spec: { loadBalancerClass: 'example.com/other' } },
  affinity: { spec: { sessionAffinity: 'ClientIP' } },
  mixed: { spec: { ports: [port(80), port(53, { protocol: 'UDP' })] } },
};

const withType = ([name, wished]: [string, Wished]): [string, Wished] => [
  name,
  { ...wished, annotations: { type: 'nlb', ...wished.annotations } },
];

/** The Services for both programs, by name. `given` is a security group that belongs to the cluster. */
export const servicesWith = (ids: { given: string; publicA: string }): Readonly<Record<string, Wished>> => ({
  ...Object.fromEntries(Object.entries(NETWORK).map(withType)),
  ...classicServices(ids),
});

export const manifestOf = (name: string, { annotations = {}, spec = {} }: Wished): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name,
    namespace: 'default',
    annotations: Object.fromEntries(
      Object.entries(annotations).map(([key, value]) => [`service.beta.kubernetes.io/aws-load-balancer-${key}`, value]),
    ),
  },
  spec: { type: 'LoadBalancer', selector: { app: name }, ports: [port(80)], ...spec },
});
