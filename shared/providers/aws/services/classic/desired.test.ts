import { describe, expect, it } from 'vitest';
import type { Service } from '../../../../plan/services/service.ts';
import { desiredClassic } from './desired.ts';

const RED = { namespace: 'default', name: 'red' };
const CERTIFICATE = 'arn:aws:acm:us-east-1:1:certificate/1';
const tcp = (name: string, port: number, nodePort: number) => ({ name, protocol: 'TCP', port, nodePort });

const service = (annotations: Record<string, string>, changes: Partial<Service> = {}): Service => ({
  ...{ namespace: 'shop', name: 'web', uid: 'u-1', resourceVersion: '1', finalizers: [], isDeleted: false },
  ...{ type: 'LoadBalancer', loadBalancerIP: '', loadBalancerSourceRanges: [], sessionAffinity: 'None' },
  ...{ externalTrafficPolicy: 'Cluster', healthCheckNodePort: 0, ingress: [] },
  ports: [tcp('a', 80, 30080), tcp('b', 443, 30443)],
  ...changes,
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [`service.beta.kubernetes.io/aws-load-balancer-${key}`, value]),
  ),
});
const desired = (annotations: Record<string, string>, changes: Partial<Service> = {}) =>
  desiredClassic({ cluster: RED, tags: {} }, service(annotations, changes), []);

describe('the listeners of a classic load balancer', () => {
  const cert = { 'ssl-cert': CERTIFICATE };

  it.each<[Record<string, string>, string[]]>([
    [{}, ['TCP to TCP', 'TCP to TCP']],
    [{ 'backend-protocol': 'http' }, ['HTTP to HTTP', 'HTTP to HTTP']],
    // Without a certificate, nothing is encrypted.
    [{ 'backend-protocol': 'https' }, ['TCP to TCP', 'TCP to TCP']],
    [cert, ['SSL to TCP', 'SSL to TCP']],
    [{ ...cert, 'backend-protocol': 'http' }, ['HTTPS to HTTP', 'HTTPS to HTTP']],
    [{ ...cert, 'backend-protocol': 'https' }, ['HTTPS to HTTPS', 'HTTPS to HTTPS']],
    [{ ...cert, 'backend-protocol': 'ssl' }, ['SSL to SSL', 'SSL to SSL']],
    [{ ...cert, 'backend-protocol': 'tcp' }, ['SSL to TCP', 'SSL to TCP']],
    [{ ...cert, 'ssl-ports': '443' }, ['TCP to TCP', 'SSL to TCP']],
    [{ ...cert, 'ssl-ports': 'a', 'backend-protocol': 'http' }, ['HTTPS to HTTP', 'HTTP to HTTP']],
    [{ ...cert, 'ssl-ports': '*' }, ['SSL to TCP', 'SSL to TCP']],
  ])('%j: %j', (annotations, listeners) => {
    const found = desired(annotations).listeners;
    expect(found.map(({ protocol, instanceProtocol }) => `${protocol} to ${instanceProtocol}`)).toEqual(listeners);
  });

  it('are for ports with a node port', () => {
    expect(desired({}, { ports: [tcp('a', 80, 0), tcp('b', 443, 30443)] }).listeners).toMatchObject([{ port: 443 }]);
  });
});

describe('the health check of a classic load balancer', () => {
  const local = { externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 };

  it.each<[string, Record<string, string>, Partial<Service>, string]>([
    ['uses the first node port', {}, {}, 'TCP:30080'],
    ['uses TLS if the nodes terminate it', { 'backend-protocol': 'https' }, {}, 'SSL:30080'],
    ['selects the nodes that run a pod', {}, local, 'HTTP:31000/healthz'],
    [
      'uses the first node port until a port for such checks is allocated',
      {},
      { externalTrafficPolicy: 'Local' },
      'TCP:30080',
    ],
    ['uses the given protocol', { 'healthcheck-protocol': 'http' }, {}, 'HTTP:30080/'],
    ['uses the given port', { 'healthcheck-port': '10256' }, {}, 'TCP:10256'],
    ['uses the traffic port on request', { 'healthcheck-port': 'traffic-port' }, local, 'HTTP:30080/healthz'],
    ['uses the given path', { 'healthcheck-path': '/ready' }, local, 'HTTP:31000/ready'],
    ['uses no path with TCP', { 'healthcheck-protocol': 'TCP', 'healthcheck-path': '/ready' }, local, 'TCP:31000'],
  ])('%s', (_, annotations, changes, target) => {
    expect(desired(annotations, changes).check.target).toBe(target);
  });
});

it('a classic load balancer has attributes only where they take effect', () => {
  expect(desired({ 'connection-draining-timeout': '60', 'access-log-s3-bucket-name': 'b' }).attributes).toEqual({
    isCrossZone: false,
    idleSeconds: 60,
  });
  expect(desired({ 'connection-draining-enabled': 'true', 'connection-idle-timeout': '' }).attributes).toEqual({
    isCrossZone: false,
    idleSeconds: 60,
    drainingSeconds: 300,
  });
});

it('a classic load balancer may be requested by its type, and an unknown type is refused', () => {
  expect(desired({ type: 'classic' }).type).toBe('classic');
  expect(() => desired({ type: 'nbl' })).toThrow('aws-load-balancer-type: must be nlb, or missing');
});
