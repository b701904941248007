import { describe, expect, it } from 'vitest';
import type { AWSMachinePool } from '../../../kinds/index.ts';
import { versionDescription } from './desired-template.ts';
import type { DesiredGroup, DesiredTemplate, GroupInstance, ObservedGroup } from './model.ts';
import { isPools, type ObservedPool, planPool } from './plan.ts';

const pool = { metadata: { namespace: 'default', name: 'p' }, spec: {} } as unknown as AWSMachinePool;
const TEMPLATE: DesiredTemplate = { name: 'default.p', data: {}, userData: '', tags: {}, shape: 's1', digest: 'd1' };
const HOOK = {
  LifecycleHookName: 'windlass-drain',
  LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
  HeartbeatTimeout: 900,
};
const GROUP: DesiredGroup = {
  ...{ name: 'default.p', minSize: 1, maxSize: 3, desired: 2, subnetIds: ['a', 'b'] },
  ...{ cooldown: 300, warmup: 300, capacityRebalance: false, mixed: undefined },
  ...{ suspended: [], hooks: [HOOK], tags: { owner: 'me' } },
};
const instance = (version: number, state = 'InService'): GroupInstance => ({
  ...{ id: `i-${version}`, zone: 'a', type: 't3.large', state, version },
});
const observedGroup = (more: Partial<ObservedGroup> = {}): ObservedGroup => ({
  ...{ name: 'default.p', arn: 'arn', status: undefined, minSize: 1, maxSize: 3, desired: 2, subnetIds: ['b', 'a'] },
  ...{ cooldown: 300, warmup: 300, capacityRebalance: false, templateId: 'lt-1', mixed: undefined, suspended: [] },
  ...{ tags: { owner: 'me' }, instances: [instance(1)] },
  ...more,
});
const LATEST = { id: 'lt-1', version: 1, digest: 'd1', shape: 's1', since: 1 };
const there = (more: Partial<ObservedPool> = {}): ObservedPool => ({
  template: { id: 'lt-1', latestVersion: 1, tags: {} },
  latest: LATEST,
  group: observedGroup(),
  hooks: [HOOK],
  refresh: undefined,
  recordedRefresh: undefined,
  ...more,
});

const plan = (
  observed: ObservedPool,
  {
    template = TEMPLATE,
    group = GROUP,
    spec = {},
  }: { template?: DesiredTemplate; group?: DesiredGroup; spec?: object } = {},
) => planPool({ pool: { ...pool, spec } as AWSMachinePool, template, group, observed });
const todo = (...args: Parameters<typeof plan>) => plan(...args).map((action) => action.do);

describe('the plan of a pool', () => {
  it('makes the template first, and the group once it is there', () => {
    const nothing = { template: undefined, latest: undefined, group: undefined, hooks: [] };
    expect(todo(there(nothing))).toEqual(['create-template']);
    expect(todo(there({ group: undefined, hooks: [] }))).toEqual(['create-group']);
  });

  it('does nothing where all is as asked for', () => {
    expect(plan(there())).toEqual([]);
  });

  it('does nothing to a group that is being deleted', () => {
    expect(plan(there({ group: observedGroup({ status: 'Delete in progress', maxSize: 9 }) }))).toEqual([]);
  });

  it.each<[string, Partial<ObservedGroup>]>([
    ['minimum size', { minSize: 0 }],
    ['maximum size', { maxSize: 9 }],
    ['desired capacity', { desired: 1 }],
    ['subnets', { subnetIds: ['a'] }],
    ['default cooldown', { cooldown: 10 }],
    ['default instance warmup', { warmup: undefined }],
    ['capacity rebalancing', { capacityRebalance: true }],
    ['launch template', { templateId: 'lt-9' }],
    ['mixed instances policy', { mixed: { LaunchTemplate: {} } }],
  ])('changes the group for its %s', (what, found) => {
    expect(plan(there({ group: observedGroup(found) }))).toMatchObject([{ do: 'update-group', because: [what] }]);
  });

  it('leaves the desired capacity to whoever decides on it', () => {
    const group = { ...GROUP, desired: undefined };
    expect(plan(there({ group: observedGroup({ desired: 3 }) }), { group })).toEqual([]);
  });

  it('suspends and resumes processes', () => {
    const group = { ...GROUP, suspended: ['Launch'] };
    expect(plan(there({ group: observedGroup({ suspended: ['AZRebalance'] }) }), { group })).toMatchObject([
      { do: 'suspend', processes: ['Launch'] },
      { do: 'resume', processes: ['AZRebalance'] },
    ]);
  });

  it('puts hooks that are missing or different, and deletes others', () => {
    const hooks = [{ ...HOOK, HeartbeatTimeout: 30 }, { LifecycleHookName: 'old' }];
    expect(plan(there({ hooks }))).toMatchObject([
      { do: 'put-hook', hook: HOOK },
      { do: 'delete-hook', hook: 'old' },
    ]);
  });

  it('adds tags that are missing, and no others', () => {
    expect(plan(there({ group: observedGroup({ tags: { mine: 'too' } }) }))).toEqual([
      { do: 'tag-group', name: 'default.p', tags: { owner: 'me' } },
    ]);
  });
});

describe('another template', () => {
  const token = { ...TEMPLATE, digest: 'd2' };
  const other = { ...TEMPLATE, digest: 'd3', shape: 's2' };

  it('is a new version; running instances are not replaced for another token', () => {
    expect(todo(there(), { template: token })).toEqual(['create-version']);
    const published = there({ latest: { ...LATEST, version: 2, digest: 'd2' } });
    expect(todo(published, { template: token })).toEqual([]);
  });

  it('replaces instances of versions before the first of its shape', () => {
    const latest = { id: 'lt-1', version: 3, digest: 'd3', shape: 's2', since: 3 };
    const spec = { refreshPreferences: { minHealthyPercentage: 50, instanceWarmup: 60 } };
    expect(plan(there({ latest }), { template: other, spec })).toEqual([
      {
        do: 'start-refresh',
        name: 'default.p',
        strategy: 'Rolling',
        preferences: { InstanceWarmup: 60, MinHealthyPercentage: 50 },
      },
    ]);
    const later = there({
      latest,
      group: observedGroup({ instances: [instance(3), instance(1, 'Terminating:Wait')] }),
    });
    expect(plan(later, { template: other })).toEqual([]);
  });

  it('replaces nothing where that is disabled, or was tried for this template', () => {
    const latest = { id: 'lt-1', version: 3, digest: 'd3', shape: 's2', since: 3 };
    const spec = { refreshPreferences: { disable: true } };
    expect(plan(there({ latest }), { template: other, spec })).toEqual([]);
    const refresh = { id: 'r', status: 'Failed', reason: 'x', percentage: 0 };
    const tried = there({ latest, refresh, recordedRefresh: { id: 'r', shape: 's2' } });
    expect(plan(tried, { template: other })).toEqual([]);
  });

  it('cancels a replacement for an earlier one first, and waits for its end', () => {
    const refresh = { id: 'r', status: 'InProgress', reason: undefined, percentage: 10 };
    const recordedRefresh = { id: 'r', shape: 's1' };
    expect(todo(there({ refresh, recordedRefresh }), { template: other })).toEqual(['cancel-refresh']);
    const cancelling = { ...refresh, status: 'Cancelling' };
    expect(todo(there({ refresh: cancelling, recordedRefresh }), { template: other })).toEqual([]);
  });

  it('waits for a replacement that was begun and not recorded', () => {
    const latest = { id: 'lt-1', version: 3, digest: 'd3', shape: 's2', since: 3 };
    const refresh = { id: 'r', status: 'Pending', reason: undefined, percentage: 0 };
    expect(todo(there({ latest, refresh }), { template: other })).toEqual([]);
  });

  it('is published although the latest version is not ours', () => {
    expect(todo(there({ latest: undefined }))).toEqual(['create-version']);
  });

  it('takes one old version away, unless an instance was launched with it', () => {
    const latest = { ...LATEST, version: 7 };
    const template = { id: 'lt-1', latestVersion: 7, tags: {} };
    expect(plan(there({ latest, template }), { template: token })).toMatchObject([
      { do: 'create-version' },
      { do: 'delete-versions', versions: [3] },
    ]);
    const used = there({ latest, template, group: observedGroup({ instances: [instance(3)] }) });
    expect(todo(used, { template: token })).toEqual(['create-version']);
  });

  it('is known by the description of its version', () => {
    expect(versionDescription({ digest: '0123456789abcdef', shape: 'fedcba9876543210' })).toBe(
      'windlass 0123456789abcdef fedcba9876543210',
    );
  });
});

describe('a group', () => {
  const cluster = { namespace: 'default', name: 'red' };
  const owned = { 'sigs.k8s.io/cluster-api-provider-aws/cluster/red': 'owned' };

  it.each<[boolean, string, Record<string, string>]>([
    [
      true,
      'with the tags of the pool',
      { ...owned, 'windlass.dev/cluster': 'default/red', 'windlass.dev/machine-pool': 'default/p' },
    ],
    [true, 'with the tag of upstream', owned],
    [false, 'of another pool', { ...owned, 'windlass.dev/machine-pool': 'default/q' }],
    [false, 'of a cluster of another namespace', { ...owned, 'windlass.dev/cluster': 'other/red' }],
    [false, 'without tags', {}],
  ])("is the pool's: %s, %s", (expected, _, tags) => {
    expect(isPools(cluster, pool, tags)).toBe(expected);
  });
});
