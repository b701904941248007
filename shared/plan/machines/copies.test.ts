import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { copiesIn } from './copies.ts';

const machine = (uid: string, day: number, providerID?: string): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: uid, uid, creationTimestamp: `2026-01-0${day}T00:00:00Z` },
  spec: {
    clusterName: 'red',
    bootstrap: {},
    infrastructureRef: { apiGroup: '', kind: '', name: '' },
    ...(providerID ? { providerID } : {}),
  },
});

it('copiesIn finds the machines whose provider id an older machine has, in any order', () => {
  const [original, copy, other] = [
    machine('z', 1, 'aws:///a/i-1'),
    machine('a', 2, 'aws:///a/i-1'),
    machine('b', 3, 'i-2'),
  ];
  for (const machines of [
    [original, copy, other],
    [other, copy, original],
  ])
    expect([...copiesIn(machines)]).toEqual(['a']);
});

it('copiesIn compares the uids of machines that were created in one second, and finds none without a provider id', () => {
  expect([...copiesIn([machine('b', 1, 'i-1'), machine('a', 1, 'i-1')])]).toEqual(['b']);
  expect([...copiesIn([machine('a', 1), machine('b', 2)])]).toEqual([]);
});
