import { describe, expect, it } from 'vitest';
import type { Machine, MachineSet } from '../../kinds/index.ts';
import { NOTICE_ANNOTATION } from '../instance-events/notice.ts';
import { machineSetOperations } from './operations.ts';

const set = (deletionTimestamp?: string) => ({ metadata: { name: 'ms', deletionTimestamp } }) as MachineSet;
const notice = JSON.stringify({ reason: 'Drift', at: '2026-11-20T12:00:00Z', what: 'its type was changed', by: 'it' });
const machine = (name: string, annotations = {}) => ({ metadata: { name, annotations } }) as Machine;
const machines = [machine('lost'), machine('noticed', { [NOTICE_ANNOTATION]: notice }), machine('surplus')];
const plan = { create: ['new'], remove: ['lost', 'noticed', 'surplus'], lost: ['lost'] };

describe('the operations of a set', () => {
  it('delete with a reason, then propagate, then create', () => {
    const operations = machineSetOperations({ set: set(), machines, plan, incomplete: [] });

    expect(operations.map((one) => one.do)).toEqual([...Array(3).fill('delete-machine'), 'propagate', 'make-machines']);
    const messages = operations.flatMap((one) => (one.do === 'delete-machine' ? [one.message] : []));
    expect(messages[0]).toBe('Deleted Machine lost because its instance was terminated');
    expect(messages[1]).toMatch(/^Deleted Machine noticed because .*its type was changed/);
    expect(messages[2]).toBe('Deleted Machine surplus');
  });

  it('create nothing if nothing is missing, and complete what an interrupted pass left', () => {
    const idle = { create: [], remove: [], lost: [] };
    const [first] = machines;
    const incomplete = first ? [first] : [];

    expect(machineSetOperations({ set: set(), machines, plan: idle, incomplete: [] })).toEqual([{ do: 'propagate' }]);
    expect(machineSetOperations({ set: set(), machines, plan: idle, incomplete })).toEqual([
      { do: 'propagate' },
      { do: 'make-machines', names: [], incomplete },
    ]);
  });

  it('release a set that is being deleted once it has no machine', () => {
    const going = set('2026-11-20T12:00:00Z');
    const idle = { create: [], remove: [], lost: [] };

    const deleting = machineSetOperations({ set: going, machines, plan: { ...plan, create: [] }, incomplete: [] });
    expect(deleting.map((one) => one.do)).toEqual(Array(3).fill('delete-machine'));
    expect(machineSetOperations({ set: going, machines, plan: idle, incomplete: [] })).toEqual([]);
    expect(machineSetOperations({ set: going, machines: [], plan: idle, incomplete: [] })).toEqual([
      { do: 'release-set' },
    ]);
  });
});
