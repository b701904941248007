import { describe, expect, it } from 'vitest';
import type { MachineSet } from '../../kinds/index.ts';
import { deletionOfSets, deploymentOperations } from './operations.ts';

const set = (name: string, replicas: number): MachineSet =>
  ({ metadata: { name, uid: `uid-${name}` }, spec: { replicas } }) as MachineSet;

const owned = [set('current', 1), set('old', 2), set('same', 3), set('empty', 0)];
const operations = deploymentOperations(
  {
    create: set('new', 1),
    update: [set('current', 2), set('old', 1), set('same', 3), set('empty', 0)],
    scale: [
      { set: 'old', replicas: 1, reason: 'a machine is available' },
      { set: 'current', replicas: 2, reason: 'there is room' },
    ],
    remove: ['empty'],
    revision: 2,
  },
  owned,
);

describe('the operations of a deployment', () => {
  it('report what they change', () => {
    expect(operations.create.map(({ event }) => event.message)).toEqual(['Created MachineSet new with 1 replica']);
    expect(operations.update.map(({ event }) => event && [event.reason, event.message])).toEqual([
      ['SuccessfulScale', 'Scaled up MachineSet current from 1 to 2 replicas: there is room'],
      ['SuccessfulScale', 'Scaled down MachineSet old from 2 to 1 replicas: a machine is available'],
      undefined,
      undefined,
    ]);
    expect(operations.remove.map(({ event }) => event?.message)).toEqual([
      'Deleted MachineSet empty: all its Machines are replaced',
    ]);
  });

  it('update the sets from which the plan was made', () => {
    expect(operations.update.map(({ from }) => from)).toEqual(owned);
  });

  it('delete all sets silently if the deployment is deleted', () => {
    expect(deletionOfSets(owned)).toEqual(owned.map((one) => ({ do: 'delete-set', set: one })));
  });
});
