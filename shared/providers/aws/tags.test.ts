import { expect, it } from 'vitest';
import { buildTags, type Tags } from './tags.ts';

const RED = { namespace: 'evil', name: 'red' };
const made = (additional: Tags): Tags => buildTags({ cluster: RED, role: 'node', additional });

it.each<Tags>([
  { 'kubernetes.io/cluster/blue': 'owned' },
  { 'sigs.k8s.io/cluster-api-provider-aws/cluster/blue': 'owned' },
  { 'elbv2.k8s.aws/cluster': 'blue' },
  { 'windlass.dev/machine-pool': 'good/pool' },
])('tags of users that would assign a resource to another cluster are dropped: %o', (additional) => {
  expect(made(additional)).toEqual(made({}));
});

it.each<Tags>([
  { 'kubernetes.io/cluster/red': 'owned' },
  { 'kubernetes.io/cluster/blue': 'shared' },
  { 'elbv2.k8s.aws/cluster': 'red' },
  { 'kubernetes.io/role/elb': '1' },
  { team: 'blue' },
])('other tags of users are set: %o', (additional) => {
  expect(made(additional)).toEqual({ ...made({}), ...additional });
});
