import { describe, expect, it } from 'vitest';
import type { Machine, MachineSet } from '../../kinds/index.ts';
import { planMachineSetScale } from './scale.ts';

const now = new Date('2026-01-02T00:00:00Z');

const set = (replicas: number, order?: string, deleting = false): MachineSet =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 'ms', uid: 'ms-uid', ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
    spec: { clusterName: 'c', replicas, ...(order ? { deletion: { order } } : {}) },
  }) as MachineSet;

interface Over {
  created?: string;
  annotated?: boolean;
  deleting?: boolean;
  unhealthy?: boolean;
}

const machine = (
  name: string,
  { created = '2026-01-01T00:00:00Z', annotated, deleting, unhealthy }: Over = {},
): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      creationTimestamp: created,
      ...(annotated ? { annotations: { 'cluster.x-k8s.io/delete-machine': '' } } : {}),
      ...(deleting ? { deletionTimestamp: created } : {}),
    },
    spec: {},
    status: {
      nodeRef: { name },
      conditions: unhealthy
        ? [{ type: 'NodeHealthy', status: 'False', reason: 'x', message: '', lastTransitionTime: created }]
        : [],
    },
  }) as unknown as Machine;

const none: ReadonlyMap<string, { gone: boolean }> = new Map();

describe('planMachineSetScale', () => {
  it('creates a bounded number of machines at a time, for any requested number', () => {
    const { create } = planMachineSetScale({ set: set(2_147_483_647), machines: [], instances: none, now });
    expect(create).toHaveLength(500);
  });

  it('does nothing if the number of machines is as desired', () => {
    const machines = [machine('a'), machine('b')];
    expect(planMachineSetScale({ set: set(2), machines, instances: none, now })).toEqual({
      create: [],
      remove: [],
      lost: [],
    });
  });

  it('deletes a machine with an unresponsive node before a working one, if the nodes could be read', () => {
    const unknown = (name: string, reason: string): Machine => {
      const silent = machine(name, { unhealthy: true });
      const conditions = silent.status?.conditions?.map((one) => ({ ...one, status: 'Unknown' as const, reason }));
      return { ...silent, status: { ...silent.status, conditions } as Machine['status'] };
    };
    const taken = (machines: Machine[]) => planMachineSetScale({ set: set(1), machines, instances: none, now }).remove;

    expect(taken([machine('a'), unknown('b', 'NodeHealthyUnknown')])).toEqual(['b']);
    expect(taken([unknown('a', 'ConnectionDown'), unknown('b', 'ConnectionDown')])).toEqual(['a']);
  });

  it('replaces a machine that is being deleted once it is gone, or immediately if its instance is gone', () => {
    const machines = [machine('a'), machine('b', { deleting: true })];
    const gone = new Map([['b', { gone: true }]]);

    const nothing = { create: [], remove: [], lost: [] };
    expect(planMachineSetScale({ set: set(2), machines, instances: none, now })).toEqual(nothing);
    expect(planMachineSetScale({ set: set(2), machines, instances: gone, now }).create).toHaveLength(1);
  });

  it('creates no machines if their creation is disabled', () => {
    const disabled = set(2);
    disabled.metadata.annotations = { 'cluster.x-k8s.io/disable-machine-create': 'true' };

    expect(planMachineSetScale({ set: disabled, machines: [], instances: none, now }).create).toEqual([]);
  });

  it('names machines by the template of the set', () => {
    const named = set(2);
    named.spec.machineNaming = { template: '{{ .cluster.name }}-pool-{{ .random }}' };

    const { create } = planMachineSetScale({ set: named, machines: [], instances: none, now });
    expect(create).toEqual([expect.stringMatching(/^c-pool-\w{5}$/), expect.stringMatching(/^c-pool-\w{5}$/)]);
  });

  it.each([
    {
      reason: 'with the annotation before unhealthy ones',
      machines: [machine('a', { unhealthy: true }), machine('b', { annotated: true }), machine('c')],
      expected: ['b'],
    },
    {
      reason: 'that are unhealthy before healthy ones',
      machines: [machine('a'), machine('b', { unhealthy: true }), machine('c')],
      expected: ['b'],
    },
    {
      reason: 'by name if they do not differ otherwise',
      machines: [machine('c'), machine('a'), machine('b')],
      expected: ['a'],
    },
  ])('deletes machines $reason', ({ machines, expected }) => {
    expect(planMachineSetScale({ set: set(2), machines, instances: none, now }).remove).toEqual(expected);
  });

  it.each([
    { order: 'Newest', expected: ['new'] },
    { order: 'Oldest', expected: ['old'] },
  ])('deletes the $order if the set says so', ({ order, expected }) => {
    const machines = [
      machine('old', { created: '2025-01-01T00:00:00Z' }),
      machine('new', { created: '2026-01-01T23:00:00Z' }),
    ];
    expect(planMachineSetScale({ set: set(1, order), machines, instances: none, now }).remove).toEqual(expected);
  });

  it('keeps a machine whose instance was terminated if the cluster only wants a report', () => {
    const lost = { gone: true };
    const facts = { set: set(2), machines: [machine('a'), machine('b')], instances: new Map([['b', lost]]), now };
    expect(planMachineSetScale({ ...facts, keepsLost: true })).toEqual({ create: [], remove: [], lost: [] });
  });

  it('replaces a machine whose instance was terminated outside Windlass', () => {
    const lost = { gone: true };
    const machines = [machine('a'), machine('b')];
    const plan = planMachineSetScale({ set: set(2), machines, instances: new Map([['b', lost]]), now });

    expect(plan.remove).toEqual(['b']);
    expect(plan.lost).toEqual(['b']);
    expect(plan.create).toHaveLength(1);
    expect(plan.create).not.toContain('b');
  });

  it('deletes all machines of a set that is being deleted and creates none', () => {
    const machines = [machine('a'), machine('b', { deleting: true })];
    expect(planMachineSetScale({ set: set(2, undefined, true), machines, instances: none, now })).toEqual({
      create: [],
      remove: ['a'],
      lost: [],
    });
  });
});
