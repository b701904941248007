import { describe, expect, it } from 'vitest';
import { DRAIN_HOOK } from '../../../kinds/aws-machine-pool/hook-names.ts';
import type { AWSMachinePool, MachinePool } from '../../../kinds/index.ts';
import { desiredGroup } from './desired-group.ts';
import type { DesiredTemplate, ObservedGroup, PoolAction, Refresh } from './model.ts';
import { differsFromTheirs, type ObservedPool, planPool } from './plan.ts';

const TAGS = { Name: 'default.pool-0', team: 'a' };

const machinePool = (replicas = 3, annotations: Record<string, string> = {}): MachinePool =>
  ({ metadata: { name: 'mp', annotations }, spec: { replicas, template: { spec: {} } } }) as unknown as MachinePool;

const awsPool = (spec: object = {}, annotations: Record<string, string> = {}): AWSMachinePool =>
  ({
    metadata: { namespace: 'default', name: 'pool-0', annotations },
    spec: { minSize: 1, maxSize: 5, awsLaunchTemplate: { instanceType: 't3.large' }, ...spec },
  }) as unknown as AWSMachinePool;

const template = (change: Partial<DesiredTemplate> = {}): DesiredTemplate => ({
  ...{ name: 'default.pool-0', data: {}, userData: '', tags: TAGS, shape: 's1', digest: 'd1' },
  ...change,
});

const wanted = (spec: object = {}, pool = machinePool(), annotations: Record<string, string> = {}) =>
  desiredGroup(pool, awsPool(spec, annotations), { subnetIds: ['subnet-b', 'subnet-a'], tags: TAGS });

const instance = (version: number, state = 'InService') => ({
  ...{ id: `i-${version}`, zone: 'a', type: 't3.large' },
  ...{ version, state },
});

const group = (change: Partial<ObservedGroup> = {}): ObservedGroup => ({
  ...{ name: 'default.pool-0', arn: 'arn', status: undefined, minSize: 1, maxSize: 5, desired: 3 },
  ...{ subnetIds: ['subnet-a', 'subnet-b'], cooldown: 300, warmup: 300, capacityRebalance: false, protectsNew: false },
  ...{ templateId: 'lt-1', mixed: undefined, suspended: [], tags: TAGS, instances: [], warm: undefined },
  ...change,
});

const LATEST = { id: 'lt-1', version: 1, digest: 'd1', shape: 's1', since: 1 };

const observed = (change: Partial<ObservedPool> = {}): ObservedPool => ({
  name: 'default.pool-0',
  template: { id: 'lt-1', name: 'default.pool-0', latestVersion: 1, tags: TAGS },
  latest: LATEST,
  theirs: undefined,
  group: group(),
  hooks: wanted().hooks,
  warm: [],
  refresh: undefined,
  recordedRefresh: undefined,
  tagKeys: ['team'],
  ...change,
});

const plan = (
  seen: Partial<ObservedPool>,
  { spec = {}, asked = template(), pool = machinePool(), annotations = {} } = {},
) =>
  planPool({
    pool: awsPool(spec, annotations),
    template: asked,
    group: wanted(spec, pool, annotations),
    observed: observed(seen),
  });

const kindsOf = (actions: readonly PoolAction[]) => actions.map((action) => action.do);

describe('the plan for a pool', () => {
  it('does nothing if everything is as desired', () => {
    expect(plan({})).toEqual([]);
  });

  it('creates the template first, and then the group', () => {
    expect(kindsOf(plan({ template: undefined, latest: undefined, group: undefined, hooks: [] }))).toEqual([
      'create-template',
    ]);
    expect(kindsOf(plan({ group: undefined, hooks: [] }))).toEqual(['create-group']);
  });

  it.each([
    ['minimum size', { minSize: 2 }, {}],
    ['maximum size', { maxSize: 4 }, {}],
    ['desired capacity', {}, { desired: 2 }],
    ['subnets', {}, { subnetIds: ['subnet-a'] }],
    ['default cooldown', { defaultCoolDown: '1m' }, {}],
    ['default instance warmup', { defaultInstanceWarmup: '1m30s' }, {}],
    ['capacity rebalancing', { capacityRebalance: true }, {}],
    ['mixed instances policy', { mixedInstancesPolicy: { overrides: [{ instanceType: 'm5.large' }] } }, {}],
    ['launch template', {}, { templateId: 'lt-0' }],
  ])('updates a group with a different %s', (because, spec, change) => {
    expect(plan({ group: group(change) }, { spec })).toMatchObject([{ do: 'update-group', because: [because] }]);
  });

  it('sets the protection from scale-in as configured, and does not change it if it is not configured', () => {
    const by = (wish: string) => ({ annotations: { 'windlass.dev/scale-in-protection': wish } });
    const change = [{ do: 'update-group', because: ['protection from scale-in'] }];
    expect(plan({}, by('Enabled'))).toMatchObject(change);
    expect(plan({ group: group({ protectsNew: true }) }, by('Enabled'))).toEqual([]);
    expect(plan({ group: group({ protectsNew: true }) }, by('Disabled'))).toMatchObject(change);
    expect(plan({ group: group({ protectsNew: true }) })).toEqual([]);
  });

  it('does not change the size of the group if something else manages the replicas', () => {
    const pool = machinePool(3, { 'cluster.x-k8s.io/replicas-managed-by': 'external-autoscaler' });
    expect(plan({ group: group({ desired: 5 }) }, { pool })).toEqual([]);
  });

  it('does not change a group that is being deleted', () => {
    expect(plan({ group: group({ status: 'Delete in progress', minSize: 0 }) })).toEqual([]);
  });

  it('adds missing tags and removes those that users no longer set, but not the tags of others', () => {
    const tags = { Name: 'default.pool-0', old: 'x', others: 'y' };
    expect(plan({ group: group({ tags }), tagKeys: ['old', 'team'] })).toEqual([
      { do: 'tag-group', name: 'default.pool-0', tags: { team: 'a' } },
      { do: 'untag-group', name: 'default.pool-0', keys: ['old'] },
    ]);
  });

  it.each([
    [{ all: true, processes: { launch: false } }, ['Launch'], { do: 'resume', processes: ['Launch'] }],
    [{ processes: { launch: true } }, [], { do: 'suspend', processes: ['Launch'] }],
  ])('suspends and resumes processes as specified by %o', (suspendProcesses, suspended, expected) => {
    expect(plan({ group: group({ suspended }) }, { spec: { suspendProcesses } })).toContainEqual(
      expect.objectContaining(expected),
    );
  });

  it('adds hooks that are missing or differ, and deletes those that are no longer configured', () => {
    const [drain] = wanted().hooks;
    const hook = { name: 'mine', lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING' };
    expect(kindsOf(plan({}, { spec: { lifecycleHooks: [hook] } }))).toEqual(['put-hook']);
    expect(plan({ hooks: [{ ...drain, HeartbeatTimeout: 31 }] })).toMatchObject([{ do: 'put-hook' }]);
    expect(plan({ hooks: [...wanted().hooks, { LifecycleHookName: 'old' }] })).toEqual([
      { do: 'delete-hook', name: 'default.pool-0', hook: 'old' },
    ]);
    expect(drain?.LifecycleHookName).toBe(DRAIN_HOOK);
  });

  it('resets a hook to AWS’s defaults if the pool no longer sets its fields', () => {
    const lifecycleTransition = 'autoscaling:EC2_INSTANCE_LAUNCHING';
    const spec = { lifecycleHooks: [{ name: 'mine', lifecycleTransition }] };
    const usual = { LifecycleHookName: 'mine', LifecycleTransition: lifecycleTransition };
    const standard = { ...usual, HeartbeatTimeout: 3600, DefaultResult: 'ABANDON', GlobalTimeout: 172_800 };
    const having = (hook: object) => plan({ hooks: [...wanted().hooks, { ...standard, ...hook }] }, { spec });
    expect(having({})).toEqual([]);
    expect(kindsOf(having({ DefaultResult: 'CONTINUE' }))).toEqual(['put-hook']);
    expect(kindsOf(having({ HeartbeatTimeout: 60 }))).toEqual(['put-hook']);
    // AWS keeps the values that a call omits.
    expect(kindsOf(having({ NotificationMetadata: 'm' }))).toEqual(['delete-hook', 'put-hook']);
    expect(kindsOf(having({ NotificationTargetARN: 't', RoleARN: 'r' }))).toEqual(['delete-hook', 'put-hook']);
  });

  it('keeps what others have added to the hooks of Windlass', () => {
    const hooks = wanted().hooks.map((hook) => ({ ...hook, NotificationMetadata: 'theirs' }));
    expect(plan({ hooks })).toEqual([]);
  });
});

describe('versions and replacements', () => {
  const instances = [instance(1)];
  const next = { asked: template({ shape: 's2', digest: 'd2' }) };
  const published = { latest: { ...LATEST, version: 2, digest: 'd2', shape: 's2', since: 2 } };
  const at = (status: string): Refresh => ({ id: 'r-1', status, reason: undefined, percentage: undefined });

  it('begin with a new version of a changed template', () => {
    expect(kindsOf(plan({ group: group({ instances, desired: 1 }) }, next))).toEqual(['create-version']);
  });

  it('replace instances of an earlier shape, but not for a new token alone', () => {
    expect(kindsOf(plan({ group: group({ instances }), ...published }, next))).toEqual(['start-refresh']);
    const token = { latest: { ...LATEST, version: 2, digest: 'd2' } };
    expect(plan({ group: group({ instances }), ...token }, { asked: template({ digest: 'd2' }) })).toEqual([]);
  });

  it('follow the preferences of the pool, and are omitted if it disables them', () => {
    const preferences = { instanceWarmup: 60, minHealthyPercentage: 50, maxHealthyPercentage: 120 };
    const seen = { group: group({ instances }), ...published };
    expect(plan(seen, { ...next, spec: { refreshPreferences: preferences } })).toMatchObject([
      {
        strategy: 'Rolling',
        preferences: { InstanceWarmup: 60, MinHealthyPercentage: 50, MaxHealthyPercentage: 120 },
      },
    ]);
    expect(plan(seen, { ...next, spec: { refreshPreferences: { disable: true } } })).toEqual([]);
  });

  it('follow further preferences, and do not wait for instances that the pool itself protects', () => {
    const seen = { group: group({ instances, protectsNew: true }), ...published };
    const given = {
      skipMatching: true,
      checkpointPercentages: [20, 100],
      checkpointDelay: 0,
      standbyInstances: 'Ignore',
    };
    const preferencesBy = (annotations: Record<string, string>) => plan(seen, { ...next, annotations });
    const refresh = 'windlass.dev/refresh-preferences';
    expect(preferencesBy({ [refresh]: JSON.stringify(given) })).toEqual([
      expect.objectContaining({
        preferences: {
          SkipMatching: true,
          CheckpointPercentages: [20, 100],
          CheckpointDelay: 0,
          StandbyInstances: 'Ignore',
        },
      }),
    ]);
    const ofProtected = { 'windlass.dev/scale-in-protection': 'Enabled' };
    expect(preferencesBy(ofProtected)).toMatchObject([{ preferences: { ScaleInProtectedInstances: 'Refresh' } }]);
    const waiting = { ...ofProtected, [refresh]: '{"scaleInProtectedInstances":"Wait"}' };
    expect(preferencesBy(waiting)).toMatchObject([{ preferences: { ScaleInProtectedInstances: 'Wait' } }]);
    // Invalid values, which admission would reject, are ignored.
    expect(preferencesBy({ [refresh]: '{"skipMatching":1}' })).toMatchObject([{ preferences: {} }]);
  });

  it('are started once for each shape, regardless of the result', () => {
    const recordedRefresh = { id: 'r-1', shape: 's2' };
    for (const status of ['InProgress', 'Failed', 'Cancelled', 'Successful']) {
      const seen = { group: group({ instances }), ...published, recordedRefresh, refresh: at(status) };
      expect(plan(seen, next)).toEqual([]);
    }
  });

  it('are recorded if an execution started one and was interrupted', () => {
    const record = [{ do: 'record-refresh', id: 'r-1' }];
    const old = { group: group({ instances }), ...published };
    expect(plan({ ...old, refresh: at('InProgress') }, next)).toEqual(record);
    const replaced = { group: group({ instances: [instance(2)] }), ...published };
    expect(plan({ ...replaced, refresh: at('Successful') }, next)).toEqual(record);
    // The refresh has failed, or succeeded for an earlier shape.
    for (const status of ['Successful', 'Failed'])
      expect(kindsOf(plan({ ...old, refresh: at(status) }, next)), status).toEqual(['start-refresh']);
  });

  it('cancel a replacement for an earlier shape, and wait until it has ended', () => {
    const seen = { group: group({ instances }), recordedRefresh: { id: 'r-1', shape: 's1' } };
    expect(kindsOf(plan({ ...seen, refresh: at('InProgress') }, next))).toEqual(['cancel-refresh']);
    expect(plan({ ...seen, refresh: at('Cancelling') }, next)).toEqual([]);
    expect(kindsOf(plan({ ...seen, refresh: at('Cancelled') }, next))).toEqual(['create-version']);
  });

  it('resume processes while a replacement is cancelled, and do not update the group', () => {
    const suspended = { group: group({ instances, suspended: ['Terminate'], maxSize: 9 }) };
    const seen = { ...suspended, recordedRefresh: { id: 'r-1', shape: 's1' } };
    const resume = { do: 'resume', processes: ['Terminate'] };
    expect(plan({ ...seen, refresh: at('InProgress') }, next)).toMatchObject([{ do: 'cancel-refresh' }, resume]);
    expect(plan({ ...seen, refresh: at('Cancelling') }, next)).toMatchObject([resume]);
  });

  it('delete an old version with each new one, unless an instance uses it', () => {
    const newest = { template: { ...observed().template, latestVersion: 7 } as ObservedPool['template'] };
    const latest = { latest: { ...LATEST, version: 7 } };
    const of = (versions: number[]) =>
      plan({ ...newest, ...latest, group: group({ instances: versions.map((version) => instance(version)) }) }, next);
    expect(of([7])).toMatchObject([{ do: 'create-version' }, { do: 'delete-versions', versions: [3] }]);
    expect(kindsOf(of([3, 7]))).toEqual(['create-version']);
  });
});

describe('a version that the AWS provider made', () => {
  const data = {
    ...{ ImageId: 'ami-1', InstanceType: 't3.large' as const, SecurityGroupIds: ['sg-1', 'sg-2'] },
    IamInstanceProfile: { Name: 'nodes' },
  };
  const theirs = {
    ...{ ...data, SecurityGroupIds: ['sg-2', 'sg-1'], KeyName: '' },
    IamInstanceProfile: { Arn: 'arn:aws:iam::1:instance-profile/nodes' },
  };

  it.each([
    [{}, false],
    [{ ImageId: 'ami-0' }, true],
    [{ InstanceType: 'm5.large' as const }, true],
    [{ SecurityGroupIds: ['sg-1'] }, true],
    [{ IamInstanceProfile: { Name: 'others' } }, true],
    [{ KeyName: 'mine' }, true],
    [{ InstanceMarketOptions: { MarketType: 'spot' as const } }, true],
  ])('with %o must be replaced: %o', (change, isIt) => {
    expect(differsFromTheirs(data, { ...theirs, ...change })).toBe(isIt);
  });
});
