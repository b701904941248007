import { expect, it } from 'vitest';
import { buildTags, OWNER_TAG, type Tags } from '../../tags.ts';
import { desiredNetwork } from '../desired.ts';
import type { ObservedInternetGateway } from './model.ts';
import { planInternetGateway } from './plan.ts';

const CLUSTER = { namespace: 'default', name: 'red' };

const desired = desiredNetwork({
  cluster: CLUSTER,
  clusterUid: 'u-1',
  spec: { additionalTags: { env: 'prod' }, network: { subnets: [{ id: 'a', isPublic: true }] } },
  natIps: [],
});

const planWith = (internetGateways: ObservedInternetGateway[], vpcId: string | undefined, wanted = desired) => {
  const nothing = { vpcs: [], subnets: [], routeTables: [], natGateways: [], addresses: [] };
  const observed = { ...nothing, internetGateways, securityGroups: [], networkInterfaces: [] };
  return planInternetGateway({ desired: wanted, observed, intents: {}, now: new Date(0) }, vpcId);
};
const planFor = (tags: Tags) => planWith([{ id: 'igw-1', vpcId: 'vpc-1', tags }], 'vpc-1');

const OWN = buildTags({ cluster: CLUSTER, name: 'red-igw', role: 'common', additional: { env: 'prod' } });
const { [OWNER_TAG]: _owner, ...OF_UPSTREAM } = OWN;

it.each<{ reason: string; tags: Tags; missing?: Tags }>([
  { reason: 'it has the tags of the spec', tags: OWN },
  { reason: 'additionalTags have changed', tags: { ...OWN, env: 'dev' }, missing: { env: 'prod' } },
  { reason: 'upstream created it', tags: OF_UPSTREAM },
  {
    reason: 'upstream created it, and additionalTags have changed',
    tags: { ...OF_UPSTREAM, env: 'dev' },
    missing: { env: 'prod' },
  },
  { reason: 'a user has attached it', tags: { env: 'dev' } },
])('the attached gateway gets the tags $missing: $reason', ({ tags, missing }) => {
  const tagging = { type: 'CreateTags', kind: 'internetGateway', resourceId: 'igw-1', tags: missing };
  expect(planFor(tags)).toEqual({ actions: missing ? [tagging] : [], waiting: [] });
});

const loose = (id: string, tags: Tags = OWN): ObservedInternetGateway => ({ id, tags });

it('a VPC without a gateway gets the oldest unattached one of the cluster, or else a new one', () => {
  const create = { type: 'CreateInternetGateway', intent: 'internet-gateway', tags: desired.internetGatewayTags };
  const attach = { type: 'AttachInternetGateway', internetGatewayId: 'igw-1', vpcId: 'vpc-1' };
  expect(planWith([], 'vpc-1').actions).toEqual([create]);
  expect(planWith([loose('igw-1', { env: 'dev' })], 'vpc-1').actions).toEqual([create]);
  expect(planWith([loose('igw-2'), loose('igw-1')], 'vpc-1').actions).toEqual([attach]);
  expect(planWith([{ id: 'igw-9', vpcId: 'vpc-9', tags: OWN }, loose('igw-1')], 'vpc-1').actions).toEqual([attach]);
});

it('an unattached gateway waits for its VPC', () => {
  expect(planWith([loose('igw-1')], undefined)).toEqual({ actions: [], waiting: [] });
});

it('a cluster without public subnets gets no gateway', () => {
  const subnets = desired.subnets.map((subnet) => ({ ...subnet, isPublic: false }));
  expect(planWith([loose('igw-1')], 'vpc-1', { ...desired, subnets })).toEqual({ actions: [], waiting: [] });
});
