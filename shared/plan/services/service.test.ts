import { describe, expect, it } from 'vitest';
import { isServicesNews, servicesDigest, withSettledServices } from './digest.ts';
import { parseBool, parseInt32 } from './go-values.ts';
import { balancedNodes } from './nodes.ts';
import { CLEANUP_FINALIZER, needOf, type Service } from './service.ts';

const service = (changes: Partial<Service> = {}): Service => ({
  namespace: 'shop',
  name: 'web',
  uid: 'u-1',
  resourceVersion: '1',
  annotations: {},
  finalizers: [],
  isDeleted: false,
  type: 'LoadBalancer',
  loadBalancerIP: '',
  loadBalancerSourceRanges: [],
  sessionAffinity: 'None',
  externalTrafficPolicy: 'Cluster',
  healthCheckNodePort: 0,
  ports: [],
  ingress: [],
  ...changes,
});
const finalizers = [CLEANUP_FINALIZER];

describe('the need of a Service', () => {
  it.each<[string, Partial<Service>, ReturnType<typeof needOf>]>([
    ['a load balancer, by its type', {}, 'balancer'],
    ['nothing for another type', { type: 'ClusterIP' }, undefined],
    ['nothing for a class, which another controller serves', { loadBalancerClass: 'example.com/x' }, undefined],
    ['the removal of its former load balancer', { type: 'NodePort', finalizers }, 'removal'],
    ['the removal of its load balancer when it is deleted', { isDeleted: true, finalizers }, 'removal'],
    ['nothing when it is deleted and had no load balancer', { isDeleted: true, finalizers: ['another'] }, undefined],
    [
      'not a removal because of a class: the load balancer may be in use',
      { loadBalancerClass: 'x', finalizers },
      undefined,
    ],
  ])('is %s', (_, changes, need) => {
    expect(needOf(service(changes))).toBe(need);
  });
});

describe('the nodes behind load balancers', () => {
  const EXCLUDE = 'node.kubernetes.io/exclude-from-external-load-balancers';
  const ready = (status: string) => ({ status: { conditions: [{ type: 'Ready', status }] } });

  it.each([
    ['include a node', {}, true],
    ['include a node that is not ready, because its health checks fail', ready('False'), true],
    ['exclude a node with the label, as on control plane nodes', { metadata: { labels: { [EXCLUDE]: '' } } }, false],
    ['exclude a node with the label set to true', { metadata: { labels: { [EXCLUDE]: 'true' } } }, false],
    ['include a node with the label set to false', { metadata: { labels: { [EXCLUDE]: 'false' } } }, true],
    ['exclude a node that is being deleted', { metadata: { deletionTimestamp: new Date(0) } }, false],
    [
      'exclude a node that the autoscaler removes',
      { spec: { taints: [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }] } },
      false,
    ],
  ])('%s', (_, node, isBalanced) => {
    expect(balancedNodes([node])).toHaveLength(isBalanced ? 1 : 0);
  });
});

describe('the record of settled Services', () => {
  const nodes = [{ metadata: { name: 'n' }, spec: { providerID: 'aws:///a/i-1' } }];
  const infrastructure = { apiVersion: 'v1', kind: 'X', metadata: { name: 'red' } };
  const settled = withSettledServices(infrastructure, servicesDigest([service()], nodes)) ?? infrastructure;
  const WISH = 'service.beta.kubernetes.io/aws-load-balancer-internal';

  it.each<[string, Partial<Service>, boolean]>([
    [
      'does not change with what the pass itself writes',
      { finalizers, ingress: ['host'], resourceVersion: '9' },
      false,
    ],
    ["does not change with another program's annotation", { annotations: { other: 'x' } }, false],
    ['changes with an annotation of the load balancer', { annotations: { [WISH]: 'true' } }, true],
    ['changes with a port', { ports: [{ name: '', protocol: 'TCP', port: 1, nodePort: 2 }] }, true],
    ['changes with another type', { type: 'ClusterIP' }, true],
  ])('%s', (_, changes, isNews) => {
    expect(isServicesNews(settled, [service(changes)], nodes, false)).toBe(isNews);
  });

  it('includes the nodes, but only if a Service needs them', () => {
    expect(isServicesNews(settled, [service()], [], false)).toBe(true);
    const labelled = nodes.map((node) => ({ ...node, metadata: { ...node.metadata, labels: { tier: 'edge' } } }));
    expect(isServicesNews(settled, [service()], labelled, false)).toBe(true);
    expect(servicesDigest([], nodes)).toBe(servicesDigest([], []));
    expect(withSettledServices(settled, servicesDigest([service()], nodes))).toBeUndefined();
  });
});

it('parseBool and parseInt32 read values as Go does', () => {
  expect(['T', '0', 'yes', ''].map(parseBool)).toEqual([true, false, undefined, undefined]);
  expect(['12', '+1', '1.5', '99999999999', ''].map(parseInt32)).toEqual([12, 1, undefined, undefined, undefined]);
});
