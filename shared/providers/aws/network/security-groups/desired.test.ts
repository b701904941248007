import { expect, it } from 'vitest';
import { cloudProviderTag } from '../../tags.ts';
import { desiredSecurityGroups } from './desired.ts';

const CLUSTER = { namespace: 'default', name: 'red' };

it('security groups have the tags of the spec, and only the group lb has the tag of the cloud controller', () => {
  const key = cloudProviderTag(CLUSTER.name);
  const spec = { additionalTags: { team: 'blue', [key]: 'shared' } };

  const { securityGroups } = desiredSecurityGroups({ cluster: CLUSTER, clusterUid: 'u-1', spec, natIps: [] });

  expect(securityGroups.map(({ role, tags }) => [role, tags.team, tags[key]])).toEqual([
    ['apiserver-lb', 'blue', undefined],
    ['lb', 'blue', 'owned'],
    ['controlplane', 'blue', undefined],
    ['node', 'blue', undefined],
  ]);
});
