import { expect, it } from 'vitest';
import type { Look } from './finding.ts';
import { judgeLooks } from './losses.ts';

type Finding = { isLost: boolean };

const looks = (namespace: string, count: number, finding?: Finding): Look<Finding>[] =>
  Array.from({ length: count }, () => ({
    known: { machine: { metadata: { namespace } } },
    ...(finding ? { finding } : {}),
  })) as unknown as Look<Finding>[];

const LOST = { isLost: true };
const CHANGED = { isLost: false };

it('judgeLooks counts what looks lost among all machines, and passes on every finding', () => {
  const judged = judgeLooks([...looks('a', 8), ...looks('a', 2, CHANGED), ...looks('a', 1, LOST)]);
  expect(judged).toEqual({ findings: [CHANGED, CHANGED, LOST], suspended: new Set(), lost: 1, considered: 11 });
});

it('judgeLooks suspends every namespace if so much of the fleet looks lost that the observation is probably wrong', () => {
  const fleet = [...looks('a', 4, LOST), ...looks('b', 4, LOST), ...looks('c', 1)];
  expect(judgeLooks(fleet).suspended).toEqual(new Set(['a', 'b', 'c']));
});

it('judgeLooks suspends only the affected namespace if the losses are in one namespace', () => {
  const fleet = [...looks('a', 9, LOST), ...looks('b', 2)];
  expect(judgeLooks(fleet).suspended).toEqual(new Set(['a']));
});
