import { expect, it } from 'vitest';
import { inFairOrder, rotated } from './fair-order.ts';

const NOW = new Date('2026-01-02T00:00:00Z');
const mark = (namespace: string, name: string) => ({
  ...{ group: '', plural: 'configmaps', namespace, name, uid: name },
  at: 0,
});

it('the marks of one namespace do not delay those of another', () => {
  const marks = [...['1', '2', '3', '4'].map((name) => mark('evil', name)), mark('good', '5')];
  const order = inFairOrder(marks, (one) => one.namespace, NOW).map(({ namespace }) => namespace);
  expect(order).toEqual(['evil', 'good', 'evil', 'evil', 'evil']);
});

it('each item comes first at some time', () => {
  const firsts = [0, 1, 2].map((minute) => rotated(['a', 'b', 'c'], new Date(NOW.getTime() + minute * 60_000))[0]);
  expect(firsts.toSorted()).toEqual(['a', 'b', 'c']);
  expect(rotated([], NOW)).toEqual([]);
});
