import { expect, it } from 'vitest';
import { ownershipTag, type Tags } from '../../tags.ts';
import { desiredVpc } from './desired.ts';

const CLUSTER = { namespace: 'default', name: 'red' };

const tagsFor = (tags: Tags) => {
  const spec = { additionalTags: { env: 'prod' }, network: { vpc: { tags } } };
  return desiredVpc({ cluster: CLUSTER, clusterUid: 'u-1', spec, natIps: [] }).vpc.tags;
};

it.each<{ reason: string; tags: Tags; env: string }>([
  { reason: "the user's tags of the VPC prevail over additionalTags", tags: { env: 'network' }, env: 'network' },
  {
    reason: 'additionalTags prevail over what upstream found on the VPC of a cluster that was moved',
    tags: { [ownershipTag('red')]: 'owned', env: 'dev' },
    env: 'prod',
  },
])('$reason', ({ tags, env }) => {
  expect(tagsFor({ ...tags, more: 'x' })).toMatchObject({ Name: 'red-vpc', env, more: 'x' });
});
