import { CERTIFICATE, port, type Wished } from './wished.ts';

const TWO = { spec: { ports: [port(80), port(443)] } };

/**
 * Services with classic load balancers. Each is named after what it tests. `given` is a security group of the cluster.
 */
export const classicServices = ({
  given,
  publicA,
}: {
  given: string;
  publicA: string;
}): Readonly<Record<string, Wished>> => ({
  classic: {},
  'classic-ports': TWO,
  'classic-internal': { annotations: { internal: 'true' } },
  'classic-local': { spec: { externalTrafficPolicy: 'Local' } },
  'classic-ranges': { spec: { loadBalancerSourceRanges: ['192.0.2.0/24', '198.51.100.7/32'] } },
  'classic-tags': { annotations: { 'additional-resource-tags': 'team=a,cost=,empty' } },
  'classic-subnets': { annotations: { subnets: publicA } },
  'classic-attributes': {
    annotations: {
      'cross-zone-load-balancing-enabled': 'true',
      'connection-idle-timeout': '120',
      'connection-draining-enabled': 'true',
      'connection-draining-timeout': '60',
      'access-log-enabled': 'true',
      'access-log-s3-bucket-name': 'bucket',
      'access-log-s3-bucket-prefix': 'prefix',
      'access-log-emit-interval': '5',
    },
  },
  'classic-check': {
    annotations: {
      'healthcheck-protocol': 'HTTP',
      'healthcheck-port': '10256',
      'healthcheck-path': '/healthz',
      'healthcheck-interval': '20',
      'healthcheck-timeout': '4',
      'healthcheck-healthy-threshold': '3',
      'healthcheck-unhealthy-threshold': '4',
    },
  },
  'classic-check-local': {
    annotations: { 'healthcheck-port': 'traffic-port', 'healthcheck-path': '/ready' },
    spec: { externalTrafficPolicy: 'Local' },
  },
  'classic-http': { annotations: { 'backend-protocol': 'http' } },
  'classic-https': {
    ...TWO,
    annotations: { 'ssl-cert': CERTIFICATE, 'ssl-ports': 'p443', 'backend-protocol': 'http' },
  },
  'classic-https-backend': { annotations: { 'ssl-cert': CERTIFICATE, 'backend-protocol': 'https' } },
  'classic-ssl': {
    annotations: { 'ssl-cert': CERTIFICATE, 'ssl-negotiation-policy': 'ELBSecurityPolicy-TLS-1-2-2017-01' },
  },
  'classic-ssl-backend': { annotations: { 'ssl-cert': CERTIFICATE, 'backend-protocol': 'ssl' } },
  'classic-proxy': { ...TWO, annotations: { 'proxy-protocol': '*' } },
  'classic-groups': { annotations: { 'security-groups': given } },
  'classic-extra-groups': { annotations: { 'extra-security-groups': given } },
  'classic-labelled': { annotations: { 'target-node-labels': 'pool=a' } },
  'classic-udp': { spec: { ports: [port(53, { protocol: 'UDP' })] } },
  'classic-target-groups': { annotations: { 'target-group-attributes': 'proxy_protocol_v2.enabled=true' } },
});
