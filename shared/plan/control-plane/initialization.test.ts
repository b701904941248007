import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { type InitializationFacts, strandedMachines } from './initialization.ts';

const machine = (name: string, deletionTimestamp?: string): Machine =>
  ({ metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z', deletionTimestamp } }) as Machine;

/** Machines that may have run, and one that cannot have. */
const instances = new Map([
  ['c', { mayHaveRun: true }],
  ['b', { mayHaveRun: true }],
  ['a', { mayHaveRun: false }],
]);
const namesOf = (over: Partial<InitializationFacts>): string[] =>
  strandedMachines({
    machines: ['c', 'b', 'a', 'd'].map((name) => machine(name)),
    instances,
    initializer: { name: 'gone', uid: 'uid-gone' },
    ...over,
  }).map(({ metadata }) => metadata.name);

describe('strandedMachines', () => {
  it('are the other machines when the initializing machine is gone or being deleted', () => {
    expect(namesOf({})).toEqual(['b', 'c']);
    expect(namesOf({ machines: [machine('gone', '2026-01-01T00:00:00Z'), machine('b')] })).toEqual(['b']);
  });

  it('are none while the initializing machine exists, or if none was recorded', () => {
    expect(namesOf({ initializer: { name: 'a', uid: 'uid-a' } })).toEqual([]);
    // Without a uid, as an earlier version recorded it.
    expect(namesOf({ initializer: { name: 'a', uid: undefined } })).toEqual([]);
    expect(namesOf({ initializer: undefined })).toEqual([]);
  });

  it('include a machine that was created again under the name of the initializing machine', () => {
    expect(namesOf({ initializer: { name: 'b', uid: 'uid-former' } })).toEqual(['b', 'c']);
    expect(namesOf({ initializer: { name: 'a', uid: 'uid-former' } })).toEqual(['b', 'c']);
  });

  it('exclude those that are being deleted already', () => {
    expect(namesOf({ machines: [machine('b', '2026-01-01T00:00:00Z'), machine('c')] })).toEqual(['c']);
  });
});
