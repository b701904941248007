import { describe, expect, it } from 'vitest';
import type { Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { boundsOf } from './bounds.ts';
import { rolesOf } from './current-set.ts';
import { newSet, updatedSet } from './desired-set.ts';
import { planDeployment } from './plan.ts';
import { planProportional, type SizedSet } from './proportional.ts';
import { planRollingUpdate } from './rolling-update.ts';
import { outdatedReasons } from './up-to-date.ts';

const now = new Date('2026-01-02T00:00:00Z');
const deployment = (change: (spec: MachineDeployment['spec']) => void = () => {}): MachineDeployment => {
  const object = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { namespace: 'default', name: 'workers', uid: 'uid', annotations: { note: 'x' } },
    spec: {
      clusterName: 'demo',
      replicas: 3,
      selector: { matchLabels: { pool: 'a' } },
      rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      template: {
        metadata: { labels: { pool: 'a' } },
        spec: {
          clusterName: 'demo',
          version: 'v1.34.0',
          bootstrap: { configRef: { apiGroup: 'b', kind: 'KubeadmConfigTemplate', name: 'w' } },
          infrastructureRef: { apiGroup: 'i', kind: 'AWSMachineTemplate', name: 'w' },
        },
      },
    },
  } as MachineDeployment;
  change(object.spec);
  return object;
};
const born = (set: MachineSet, at: string): MachineSet => ({
  ...set,
  metadata: { ...set.metadata, uid: set.metadata.name, creationTimestamp: at },
});

describe('boundsOf', () => {
  it.each([
    { replicas: 10, maxSurge: '25%', maxUnavailable: '25%', is: [3, 2] },
    { replicas: 10, maxSurge: 0, maxUnavailable: 20, is: [0, 10] },
    { replicas: 2, maxSurge: '0%', maxUnavailable: '10%', is: [0, 1] },
    { replicas: 0, maxSurge: 1, maxUnavailable: 0, is: [0, 0] },
    { replicas: 3, maxSurge: '99999999999%', maxUnavailable: 0, is: [2147483644, 0] },
  ])('of $replicas with $maxSurge and $maxUnavailable is $is', ({ replicas, maxSurge, maxUnavailable, is }) => {
    const bounds = boundsOf(
      deployment((spec) => {
        spec.replicas = replicas;
        spec.rollout = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } };
      }),
    );
    expect([bounds.maxSurge, bounds.maxUnavailable]).toEqual(is);
  });
});

describe('planDeployment', () => {
  it('keeps a set whose hash has the format of earlier versions', () => {
    const first = born(newSet(deployment(), 1, now), now.toISOString());
    const old = JSON.parse(JSON.stringify(first).replaceAll(/"\d+-(\w{5})"/g, '"$1"')) as MachineSet;
    expect(old.metadata.labels?.['machine-template-hash']).toMatch(/^\w{5}$/);
    const sets = [{ ...old, spec: { ...old.spec, replicas: 3 } }];
    const plan = planDeployment({ deployment: deployment(), sets, machinesOf: () => [], now });
    expect([plan.create, plan.scale, plan.remove]).toEqual([undefined, [], []]);
    expect(plan.update.map(({ metadata }) => metadata.labels)).toEqual([old.metadata.labels]);
  });

  it('creates the first set, and then does nothing', () => {
    const first = planDeployment({ deployment: deployment(), sets: [], machinesOf: () => [], now });
    const set = born(first.create as MachineSet, now.toISOString());

    expect(set.metadata.name).toMatch(/^workers-\w{5}$/);
    expect(set.metadata.annotations).toEqual({
      note: 'x',
      'machinedeployment.clusters.x-k8s.io/desired-replicas': '3',
      'machinedeployment.clusters.x-k8s.io/max-replicas': '4',
      'machinedeployment.clusters.x-k8s.io/revision': '1',
      'cluster.x-k8s.io/disable-machine-create': 'false',
    });
    expect(set.spec.replicas).toBe(3);
    const suffix = set.metadata.name.slice('workers-'.length);
    const label = set.metadata.labels?.['machine-template-hash'] ?? '';
    expect(label).toMatch(new RegExp(`^[1-9]\\d{0,9}-${suffix}$`));
    expect(set.spec.selector?.matchLabels?.['machine-template-hash']).toBe(label);
    expect(set.spec.template.metadata?.labels?.['machine-template-hash']).toBe(label);
    const again = planDeployment({ deployment: deployment(), sets: [set], machinesOf: () => [], now });
    expect(again).toEqual({ update: [set], scale: [], remove: [], revision: 1 });
  });

  it('does not reuse the name of a set that is still being deleted', () => {
    const { create } = planDeployment({ deployment: deployment(), sets: [], machinesOf: () => [], now });
    const leaving = born(create as MachineSet, now.toISOString());
    leaving.metadata.deletionTimestamp = now.toISOString();

    const plan = planDeployment({ deployment: deployment(), sets: [leaving], machinesOf: () => [], now });
    expect(plan).toMatchObject({ update: [], scale: [], remove: [] });
    expect(plan.create).toBeUndefined();
  });

  it('changes fields in place that require no new machine', () => {
    const before = born(newSet(deployment(), 1, now), now.toISOString());
    const next = deployment((spec) => {
      spec.template.metadata = { labels: { pool: 'a', tier: 'gold' } };
      spec.template.spec.deletion = { nodeDrainTimeoutSeconds: 9 };
      spec.deletion = { order: 'Oldest' };
    });

    expect(rolesOf(next, [before], now)).toEqual({ current: before, old: [] });
    const after = updatedSet(next, before, { revision: 1, old: false });
    expect(after.spec.template.metadata?.labels).toMatchObject({ tier: 'gold' });
    expect(after.spec.template.spec.deletion).toEqual({ nodeDrainTimeoutSeconds: 9 });
    expect(after.spec.deletion).toEqual({ order: 'Oldest' });
    expect(after.spec.selector).toEqual(before.spec.selector);
  });

  it('does not copy annotations that concern only the deployment to a set', () => {
    const data = { 'cluster.x-k8s.io/conversion-data': '{"version":"v1beta1","edits":[]}' };
    const history = { 'machinedeployment.clusters.x-k8s.io/revision-history': '1' };
    const owner = deployment();
    owner.metadata.annotations = { note: 'x', ...data, ...history };
    const made = newSet(owner, 1, now);
    expect(made.metadata.annotations).toEqual(newSet(deployment(), 1, now).metadata.annotations);

    const updated = (annotations: Record<string, string>) => {
      const set = {
        ...made,
        metadata: { ...made.metadata, annotations: { ...made.metadata.annotations, ...annotations } },
      };
      return updatedSet(owner, set, { revision: 1, old: false }).metadata.annotations;
    };
    expect(updated(data)).toEqual(made.metadata.annotations);
    const own = { 'cluster.x-k8s.io/conversion-data': '{"version":"v1beta1","edits":[{"at":["spec"]}]}' };
    expect(updated(own)).toMatchObject(own);
  });

  it('treats a set of the same template as outdated once rollout.after has passed', () => {
    const before = born(newSet(deployment(), 1, now), '2026-01-01T00:00:00Z');
    const at = (after: string) => deployment((spec) => Object.assign(spec.rollout ?? {}, { after }));

    expect(rolesOf(at('2026-01-03T00:00:00Z'), [before], now).current).toBe(before);
    expect(rolesOf(at('2026-01-01T12:00:00Z'), [before], now).current).toBeUndefined();
    expect(newSet(at('2026-01-01T12:00:00Z'), 2, now).metadata.name).not.toBe(before.metadata.name);
  });

  it('treats a set created in the same second as rollout.after as created afterwards', () => {
    const at = (after: string) => deployment((spec) => Object.assign(spec.rollout ?? {}, { after }));
    const made = born(newSet(deployment(), 1, now), '2026-01-01T12:00:01Z');
    expect(rolesOf(at('2026-01-01T12:00:01.390Z'), [made], now).current).toBe(made);
    expect(rolesOf(at('2026-01-01T12:00:02Z'), [made], now).current).toBeUndefined();
  });
});

const facts = (name: string, over: Partial<SizedSet>): SizedSet => ({
  name,
  createdAt: 0,
  desired: 0,
  actual: 0,
  available: 0,
  losesAvailable: false,
  ...over,
});

describe('a rollout that is stuck on machines that do not work', () => {
  const bounds = { replicas: 3, maxSurge: 1, maxUnavailable: 0 };
  const current = facts('new', { desired: 1, actual: 1, available: 1 });
  const old = { desired: 3, actual: 3, available: 2 };

  it('deletes one of them', () => {
    expect(planRollingUpdate({ current, old: [facts('old', old)] }, bounds)).toEqual([
      { set: 'old', replicas: 2, reason: expect.stringContaining('the rollout cannot continue otherwise') },
    ]);
  });

  it('deletes none if the set would select a working one', () => {
    expect(planRollingUpdate({ current, old: [facts('old', { ...old, losesAvailable: true })] }, bounds)).toEqual([]);
  });
});

describe('a paused rollout', () => {
  it('creates no machine in place of one that is still being deleted', () => {
    const current = facts('new', { desired: 1, actual: 1, available: 1 });
    const old = facts('old', { desired: 2, actual: 2, available: 2 });
    const bounds = { replicas: 4, maxSurge: 1, maxUnavailable: 0 };
    const grown = (gone: SizedSet) =>
      planProportional({ current, old: [old, gone] }, bounds).map(({ set, replicas }) => `${set} ${replicas}`);

    expect(grown(facts('gone', {}))).toEqual(['old 3', 'new 2']);
    expect(grown(facts('gone', { actual: 1 }))).toEqual(['old 3']);
    expect(grown(facts('gone', { actual: 2 }))).toEqual([]);
  });

  it('gives all machines to the current set, or else the newest, if no set has any', () => {
    const old = [facts('oldest', { createdAt: 1 }), facts('newest', { createdAt: 3 }), facts('old', { createdAt: 2 })];
    const bounds = { replicas: 2, maxSurge: 1, maxUnavailable: 0 };
    const scaled = (current?: SizedSet) =>
      planProportional({ ...(current ? { current } : {}), old }, bounds).map(
        ({ set, replicas }) => `${set} ${replicas}`,
      );

    expect(scaled()).toEqual(['newest 2']);
    expect(scaled(facts('current', {}))).toEqual(['current 2']);
  });

  it('keeps the sizes of its sets if machines are only replaced once they are deleted', () => {
    const current = facts('new', { desired: 1, actual: 1, available: 1 });
    const old = [facts('old', { desired: 3, actual: 3, available: 3 })];
    const scaled = (replicas: number) =>
      planProportional({ current, old, isOnDelete: true }, { replicas, maxSurge: 0, maxUnavailable: 0 });

    expect([2, 8].flatMap(scaled)).toEqual([]);
    expect(scaled(1).map(({ set, replicas }) => `${set} ${replicas}`)).toEqual(['old 0']);
  });
});

describe('a machine whose instance is gone', () => {
  it('is no longer available, regardless of its conditions', () => {
    const named = (object: MachineSet, name: string, created: string): MachineSet => {
      const set = born(object, created);
      return { ...set, metadata: { ...set.metadata, name, uid: name } };
    };
    const wanted = deployment((spec) => Object.assign(spec.template.spec, { version: 'v1.35.0' }));
    const old = named(newSet(deployment(), 1, now), 'old', '2026-01-01T00:00:00Z');
    const fresh = named(newSet(wanted, 2, now), 'new', '2026-01-01T01:00:00Z');
    const sets = [
      { ...old, spec: { ...old.spec, replicas: 3 } },
      { ...fresh, spec: { ...fresh.spec, replicas: 1 } },
    ];
    const machine = (name: string): Machine =>
      ({
        metadata: { name },
        status: { nodeRef: { name }, conditions: [{ type: 'Available', status: 'True' }] },
      }) as unknown as Machine;
    const machinesOf = (set: MachineSet) =>
      set.metadata.name === 'old' ? ['a', 'b', 'c'].map(machine) : [machine('d')];
    const lost = new Map([['d', { gone: true }]]);
    const scaled = (instances: ReadonlyMap<string, { gone: boolean }>) =>
      planDeployment({ deployment: wanted, sets, machinesOf, instances, now }).scale.map(({ set }) => set);

    expect(scaled(new Map())).toEqual(['old']);
    expect(scaled(lost)).toEqual([]);
  });
});

describe('outdatedReasons', () => {
  it('names every field that requires a rollout', () => {
    const set = newSet(deployment(), 1, now);
    const next = deployment(({ template: { spec } }) => {
      spec.version = 'v1.35.0';
      spec.failureDomain = 'a';
      spec.infrastructureRef = { ...spec.infrastructureRef, name: 'other' };
      spec.bootstrap = { configRef: { apiGroup: 'b', kind: 'KubeadmConfigTemplate', name: 'other' } };
    });

    expect(outdatedReasons(set, deployment())).toEqual([]);
    expect(outdatedReasons(set, next)).toEqual([
      'Version v1.34.0, v1.35.0 required',
      'KubeadmConfig is not up-to-date',
      'AWSMachine is not up-to-date',
      'Failure domain , a required',
    ]);
  });
});
