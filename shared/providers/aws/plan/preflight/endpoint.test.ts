import { expect, it } from 'vitest';
import type { AWSCluster } from '../../../../kinds/index.ts';
import { SKIP_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import { findingsOf } from './findings.ts';
import type { Facts } from './model.ts';
import { wantsOf } from './wants.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const NOTHING: Facts = { quotas: new Map(), images: new Map(), profiles: new Map(), permissions: [] };

const awsCluster = (spec: object, annotations: Record<string, string>): AWSCluster =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { ...CLUSTER, annotations },
    spec: { network: { vpc: {}, subnets: [] }, controlPlaneLoadBalancer: { scheme: 'internal' }, ...spec },
  }) as AWSCluster;

const missing = (spec: object, reachesPrivate: boolean | undefined, annotations: Record<string, string> = {}) => {
  const wants = wantsOf(CLUSTER, awsCluster(spec, annotations), [], { network: true, machines: true });
  return findingsOf(wants, { ...NOTHING, ...(reachesPrivate === undefined ? {} : { reachesPrivate }) }).missing;
};

it('an internal load balancer that no function could reach is refused, with the field and the remedies', () => {
  expect(missing({}, false)).toEqual([
    expect.stringMatching(/^spec\.controlPlaneLoadBalancer\.scheme: .*deploy with functionSubnets .*internet-facing/),
  ]);
});

it.each<{ reason: string; spec?: object; reaches?: boolean; annotations?: Record<string, string> }>([
  { reason: 'the functions are in a VPC', reaches: true },
  { reason: 'it is unknown where the functions run' },
  {
    reason: 'the load balancer is not internal',
    spec: { controlPlaneLoadBalancer: { scheme: 'internet-facing' } },
    reaches: false,
  },
  {
    reason: 'there is no load balancer',
    spec: { controlPlaneLoadBalancer: { scheme: 'internal', loadBalancerType: 'disabled' } },
    reaches: false,
  },
  {
    reason: 'the user provides the address',
    spec: { controlPlaneEndpoint: { host: 'api.example', port: 6443 } },
    reaches: false,
  },
  { reason: 'the check is skipped', reaches: false, annotations: { [SKIP_ANNOTATION]: 'endpoint' } },
])('the endpoint is not refused if $reason', ({ spec = {}, reaches, annotations = {} }) => {
  expect(missing(spec, reaches, annotations)).toEqual([]);
});
