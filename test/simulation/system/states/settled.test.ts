import { expect, it } from 'vitest';
import type { Attributes } from './items.ts';
import { formsOf, itemKind } from './settled.ts';

const machine = (name: string, more: object = {}) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name, resourceVersion: name.length.toString(), generation: name.length },
  spec: { providerID: `aws:///us-east-1a/i-${'0'.repeat(16)}1`, replicas: 1 },
  status: { phase: 'Running', message: `${name} runs` },
  ...more,
});

const exists = () => true;

it('treats two states as equal that differ only in names, texts and counters', () => {
  const [a, b] = [machine('a'), machine('bcd')];
  expect(formsOf([a, { ...b, spec: { ...b.spec, replicas: 2 } }], exists)).toEqual(
    formsOf([{ ...machine('x'), spec: { ...a.spec, replicas: 2 } }, machine('y')], exists),
  );
});

it.each([
  ['a word', machine('a', { status: { phase: 'Pending', message: 'a runs' } })],
  ['a number', machine('a', { spec: { ...machine('a').spec, replicas: 2 } })],
  ['a field', machine('a', { spec: { ...machine('a').spec, paused: true } })],
])('distinguishes two states by %s', (_, other) => {
  expect(formsOf([other], exists)).not.toEqual(formsOf([machine('a')], exists));
});

it('distinguishes the id of an existing resource from that of a missing one', () => {
  expect(formsOf([machine('a')], () => false)).not.toEqual(formsOf([machine('a')], exists));
});

const work = (more: Attributes = {}): Attributes => ({ pk: { S: 'work|default/a' }, sk: { S: 'cluster|1' }, ...more });

it.each<[string, Attributes, string | undefined]>([
  ['work that is done', work({ wanted: { N: '2' }, done: { N: '2' } }), 'work cluster'],
  ['work that is left', work({ wanted: { N: '2' }, done: { N: '1' } }), 'work cluster wanted'],
  ['a lease', work({ holder: { S: 'a' }, leaseUntil: { N: '11' } }), 'work cluster held'],
  ['a lease that has ended', work({ holder: { S: 'a' }, leaseUntil: { N: '10' } }), 'work cluster'],
  ['an object', { pk: { S: 'cluster.x-k8s.io/clusters|default' }, sk: { S: 'a' } }, undefined],
  ['a counter', { pk: { S: 'counter|x/y' }, sk: { S: 'counter' } }, undefined],
])('describes %s as an item of the table', (_, item, kind) => {
  expect(itemKind(item, 10)).toBe(kind);
});
