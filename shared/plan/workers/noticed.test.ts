import { describe, expect, it } from 'vitest';
import type { Machine, MachineSet } from '../../kinds/index.ts';
import { NOTICE_ANNOTATION, type Notice } from '../instance-events/notice.ts';
import { planMachineSetScale } from './scale.ts';

const now = new Date('2026-11-20T12:00:30Z');
const created = '2026-11-20T10:00:00Z';
const notices: Readonly<Record<string, Notice>> = {
  spot: { reason: 'SpotInterruption', at: '2026-11-20T12:00:00Z', deadline: '2026-11-20T12:02:00Z' },
  soon: { reason: 'ScheduledMaintenance', at: '2026-11-20T12:00:00Z', deadline: '2026-12-01T12:00:00Z' },
};

/** `a`: available; `a!spot`: with the notice `spot`; `a?`: not available; `a-`: being deleted. */
const machine = (text: string): Machine => {
  const [, name, flags = '', notice = ''] = /^(\w+)([?-]*)(?:!(\w+))?$/.exec(text) ?? [];
  return {
    metadata: {
      name,
      creationTimestamp: created,
      ...(notice ? { annotations: { [NOTICE_ANNOTATION]: JSON.stringify(notices[notice]) } } : {}),
      ...(flags.includes('-') ? { deletionTimestamp: created } : {}),
    },
    spec: {},
    status: {
      ...(flags.includes('?') ? {} : { nodeRef: { name } }),
      conditions: [{ type: 'Available', status: flags.includes('?') ? 'False' : 'True' }],
    },
  } as unknown as Machine;
};

const plan = (replicas: number, given: string, isRolledOut = false) => {
  const set = { metadata: { name: 'ms', uid: 'u' }, spec: { clusterName: 'c', replicas } } as MachineSet;
  const machines = given.split(' ').filter(Boolean).map(machine);
  const { create, remove } = planMachineSetScale({ set, machines, isRolledOut, instances: new Map(), now });
  return { create: create.length, remove };
};

describe('a set with machines whose end EC2 has announced', () => {
  it.each<{ given: string; replicas: number; create: number; remove: string[]; because: string }>([
    {
      given: 'a b!spot',
      replicas: 2,
      create: 1,
      remove: ['b'],
      because: 'two minutes are too short to wait for the new one',
    },
    { given: 'a b-!spot', replicas: 2, create: 1, remove: [], because: 'machines that are being drained do not count' },
    { given: 'a b-!spot c?', replicas: 2, create: 0, remove: [], because: 'the replacement is being created' },
    { given: 'a!spot b!spot', replicas: 2, create: 2, remove: ['a', 'b'], because: 'all are deleted at once' },
    { given: 'a b!soon', replicas: 2, create: 1, remove: [], because: 'the new one comes first' },
    { given: 'a b!soon c?', replicas: 2, create: 0, remove: [], because: 'the new one is not available yet' },
    { given: 'a b!soon c', replicas: 2, create: 0, remove: ['b'], because: 'the new one has taken over' },
    {
      given: 'a!soon b!soon c',
      replicas: 2,
      create: 0,
      remove: ['a'],
      because: 'they are deleted one after the other',
    },
    { given: 'a-!soon b!soon c', replicas: 2, create: 0, remove: [], because: 'the first is not gone yet' },
    { given: 'b!soon c', replicas: 2, create: 1, remove: [], because: 'the second one is replaced next' },
    { given: 'a? b!soon c', replicas: 2, create: 0, remove: [], because: 'the set would lose an available machine' },
    { given: 'a b?!soon c?', replicas: 2, create: 0, remove: ['b'], because: 'it is not available anyway' },
    { given: 'a b!soon c', replicas: 1, create: 0, remove: ['b', 'a'], because: 'a smaller set deletes it first' },
    { given: 'a!soon b!soon c d?', replicas: 2, create: 0, remove: ['a'], because: 'd is not available yet' },
    { given: 'a!soon b!soon c d', replicas: 2, create: 0, remove: ['a', 'b'], because: 'c and d have taken over' },
    { given: 'a!soon', replicas: 0, create: 0, remove: ['a'], because: 'the set should have no machines' },
  ])('with "$given" for $replicas makes $create and removes $remove: $because', ({ given, replicas, ...wanted }) => {
    const { create, remove } = wanted;
    expect(plan(replicas, given)).toEqual({ create, remove });
  });

  it.each<{ given: string; replicas: number; create: number; remove: string[]; because: string }>([
    { given: 'a b!soon', replicas: 2, create: 0, remove: [], because: 'the rollout replaces it' },
    { given: 'a b!soon c?', replicas: 2, create: 0, remove: ['c'], because: 'the rollout does not wait for it' },
    { given: 'a b!soon c', replicas: 2, create: 0, remove: ['b'], because: 'it comes first among equals' },
    { given: 'a!soon b?!soon c', replicas: 2, create: 0, remove: ['b'], because: 'it is not available anyway' },
    { given: 'a b!spot', replicas: 2, create: 1, remove: ['b'], because: 'two minutes are too short for a rollout' },
  ])('that a rollout replaces, with "$given" for $replicas: $because', ({ given, replicas, create, remove }) => {
    expect(plan(replicas, given, true)).toEqual({ create, remove });
  });
});
