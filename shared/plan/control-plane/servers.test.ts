import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { serversWithout } from './servers.ts';
import { ALL, health, machine } from './test-remediation.ts';

const deleted = (one: Machine, second: number): Machine => ({
  ...one,
  metadata: { ...one.metadata, deletionTimestamp: `2026-01-01T00:00:0${second}Z` },
});
const broken = (name: string) => machine(name, { bad: ALL });
const leaving = deleted(machine('m'), 5);

it.each([
  { what: 'a machine that stays', of: machine('a'), counts: true },
  { what: 'a machine whose components do not work', of: broken('a'), counts: false },
  { what: 'a machine that was deleted later', of: deleted(machine('a'), 6), counts: true },
  { what: 'a machine that was deleted earlier', of: deleted(machine('z'), 4), counts: false },
  { what: 'a later machine that was deleted in the same second', of: deleted(machine('z'), 5), counts: true },
  { what: 'an earlier machine that was deleted in the same second', of: deleted(machine('a'), 5), counts: false },
])('a working machine that leaves relies on others: $what', ({ of, counts }) => {
  expect(serversWithout(leaving, [of], health)).toEqual(counts ? [of] : []);
});

it('a broken machine that leaves also relies on one that was deleted earlier', () => {
  const earlier = deleted(machine('z'), 4);
  expect(serversWithout(deleted(broken('m'), 5), [earlier], health)).toEqual([earlier]);
});
