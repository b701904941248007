import { describe, expect, it } from 'vitest';
import type { Tags } from '../../tags.ts';
import type { DiscoveredSubnet } from './discover.ts';
import { lackedTags, planSharedTags, planUnsharing, reportsLackedTags } from './shared-tags.ts';

const RED = { namespace: 'default', name: 'red' };
const BLUE = { namespace: 'default', name: 'blue' };

const subnet = (tags: Tags) => ({
  id: 'subnet-1',
  vpcId: 'vpc-1',
  zone: 'a',
  cidrBlock: '10.0.0.0/24',
  mapsPublicIp: false,
  tags,
});

const discovered = (tags: Tags): DiscoveredSubnet[] => [
  {
    subnet: { key: 'a', specId: 'subnet-1', isPublic: false, zone: '', cidrBlock: '', tags: {}, routeTableTags: {} },
    field: 'spec.network.subnets[0]',
    found: subnet(tags),
    table: undefined,
  },
];

/** The tags after a cluster has started to use the subnet. */
const shared = (cluster: typeof RED, tags: Tags): Tags => {
  const [action] = planSharedTags(cluster, discovered(tags));
  return action?.type === 'CreateTags' ? { ...tags, ...action.tags } : tags;
};

const unshared = (cluster: typeof RED, tags: Tags): Tags => {
  const [action] = planUnsharing(cluster, [subnet(tags)]);
  const gone = action?.type === 'DeleteTags' ? action.keys : [];
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !gone.includes(key)));
};

describe('tags on subnets of the user', () => {
  it('are set once, and removed again', () => {
    const tagged = shared(RED, { owner: 'me' });

    expect(tagged).toEqual({
      owner: 'me',
      'kubernetes.io/cluster/red': 'shared',
      'kubernetes.io/role/internal-elb': '1',
      'windlass.dev/tagged-for/default/red': 'kubernetes.io/cluster/red kubernetes.io/role/internal-elb',
    });
    expect(planSharedTags(RED, discovered(tagged))).toEqual([]);
    expect(unshared(RED, tagged)).toEqual({ owner: 'me' });
  });

  it('keep the role as long as another cluster uses the subnet', () => {
    const both = shared(BLUE, shared(RED, {}));

    expect(unshared(RED, both)).toEqual({
      'kubernetes.io/cluster/blue': 'shared',
      'kubernetes.io/role/internal-elb': '1',
      'windlass.dev/tagged-for/default/blue': 'kubernetes.io/cluster/blue',
    });
  });

  it('are neither changed nor removed if the user has set them', () => {
    const theirs = { 'kubernetes.io/cluster/red': 'owned', 'kubernetes.io/role/internal-elb': '' };

    expect(shared(RED, theirs)).toBe(theirs);
    expect(planUnsharing(RED, [subnet(theirs)])).toEqual([]);
  });
});

it('missing tags are reported so that the sweep recognizes the report among other warnings', () => {
  expect(reportsLackedTags(`something else; ${lackedTags('subnet-1', 'not authorized')}`)).toBe(true);
  expect(reportsLackedTags('something else')).toBe(false);
});
