import { expect, it } from 'vitest';
import { buildTags, OWNER_TAG, type Tags } from '../../tags.ts';
import { desiredNetwork } from '../desired.ts';
import { planInternetGateway } from './plan.ts';

const CLUSTER = { namespace: 'default', name: 'red' };

const desired = desiredNetwork({
  cluster: CLUSTER,
  clusterUid: 'u-1',
  spec: { additionalTags: { env: 'prod' }, network: { subnets: [{ id: 'a', isPublic: true }] } },
  natIps: [],
});

const planFor = (tags: Tags) => {
  const nothing = { vpcs: [], subnets: [], routeTables: [], natGateways: [], addresses: [] };
  const internetGateways = [{ id: 'igw-1', vpcId: 'vpc-1', tags }];
  const observed = { ...nothing, internetGateways, securityGroups: [], networkInterfaces: [] };
  return planInternetGateway({ desired, observed, intents: {}, now: new Date(0) }, 'vpc-1');
};

const OWN = buildTags({ cluster: CLUSTER, name: 'red-igw', role: 'common', additional: { env: 'prod' } });
const { [OWNER_TAG]: _owner, ...OF_UPSTREAM } = OWN;

it.each<{ reason: string; tags: Tags; missing?: Tags }>([
  { reason: 'it has the tags of the spec', tags: OWN },
  { reason: 'additionalTags have changed', tags: { ...OWN, env: 'dev' }, missing: { env: 'prod' } },
  { reason: 'upstream made it', tags: OF_UPSTREAM },
  {
    reason: 'upstream made it, and additionalTags have changed',
    tags: { ...OF_UPSTREAM, env: 'dev' },
    missing: { env: 'prod' },
  },
  { reason: 'a user has attached it', tags: { env: 'dev' } },
])('the attached gateway gets the tags $missing: $reason', ({ tags, missing }) => {
  const tagging = { type: 'CreateTags', kind: 'internetGateway', resourceId: 'igw-1', tags: missing };
  expect(planFor(tags)).toEqual({ actions: missing ? [tagging] : [], waiting: [] });
});
