import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const merge = { 'x-kubernetes-patch-strategy': 'merge' } as const;
const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    names: { type: 'array', items: { type: 'string' }, ...merge },
    plain: { type: 'array', items: { type: 'string' } },
    ports: {
      type: 'array',
      ...merge,
      'x-kubernetes-patch-merge-key': 'port',
      items: { type: 'object', properties: { port: { type: 'integer' }, tags: { type: 'array', ...merge } } },
    },
  },
};
const target = { names: ['a', 'b'], plain: ['x'], ports: [{ port: 1, name: 'one' }, { port: 2 }], data: { k: 'v' } };
const apply = (patch: object) => applyStrategicMergePatch(schema, target, patch);

describe('a strategic merge patch', () => {
  it.each([
    { why: 'adds to merged primitives', patch: { names: ['b', 'c'] }, result: { names: ['a', 'b', 'c'] } },
    { why: 'removes primitives', patch: { '$deleteFromPrimitiveList/names': ['a'] }, result: { names: ['b'] } },
    { why: 'replaces other lists', patch: { plain: ['y'] }, result: { plain: ['y'] } },
    {
      why: 'merges items by their key',
      patch: { ports: [{ port: 2, name: 'two' }, { port: 3 }] },
      result: { ports: [{ port: 1, name: 'one' }, { port: 2, name: 'two' }, { port: 3 }] },
    },
    { why: 'deletes items', patch: { ports: [{ port: 1, $patch: 'delete' }] }, result: { ports: [{ port: 2 }] } },
    {
      why: 'replaces a list on request',
      patch: { ports: [{ $patch: 'replace' }, { port: 9 }] },
      result: { ports: [{ port: 9 }] },
    },
    {
      why: 'orders a list',
      patch: { '$setElementOrder/ports': [{ port: 2 }, { port: 1 }] },
      result: { ports: [{ port: 2 }, { port: 1, name: 'one' }] },
    },
    { why: 'merges maps', patch: { data: { n: 'w' } }, result: { data: { k: 'v', n: 'w' } } },
    { why: 'replaces a map on request', patch: { data: { $patch: 'replace', n: 'w' } }, result: { data: { n: 'w' } } },
    { why: 'keeps only named keys', patch: { data: { $retainKeys: ['n'], n: 'w' } }, result: { data: { n: 'w' } } },
    { why: 'removes members', patch: { data: { k: null } }, result: { data: {} } },
  ])('$why', ({ patch, result }) => {
    expect(apply(patch)).toEqual({ ...target, ...result });
  });

  it.each([
    { why: 'new items come first', live: ['a'], patch: { names: ['b'] }, names: ['b', 'a'] },
    { why: 'known items keep their places', live: ['a', 'b'], patch: { names: ['b', 'c'] }, names: ['a', 'b', 'c'] },
    {
      why: 'items without an order stay before the item that followed them',
      live: ['b', 'a'],
      patch: { '$setElementOrder/names': ['c', 'a'], names: ['c'] },
      names: ['c', 'b', 'a'],
    },
    {
      why: 'the order may name items that do not exist',
      live: ['a'],
      patch: { '$setElementOrder/names': ['x', 'a'] },
      names: ['a'],
    },
  ])('orders a merged list: $why', ({ live, patch, names }) => {
    expect(applyStrategicMergePatch(schema, { names: live }, patch)).toEqual({ names });
  });

  it.each([
    [{ $setElementOrder: [] }, 'invalid patch format of setElementOrder list'],
    [{ '$setElementOrder/names': 'x' }, 'invalid patch format of setElementOrder list'],
    [{ $deleteFromPrimitiveList: [] }, 'invalid patch format of primitive list'],
    [{ data: { $retainKeys: 'k' } }, 'invalid patch format of retainKeys'],
    [{ data: { $retainKeys: ['k'], n: 'w' } }, 'invalid patch format of retainKeys'],
  ])('is refused if it contains %j', (patch, why) => {
    expect(() => apply({ names: ['a'], ...patch })).toThrow(why);
  });

  it('does not modify the target', () => {
    const before = structuredClone(target);
    apply({ names: ['z'], ports: [{ port: 1, name: 'changed' }], data: { k: null } });
    expect(target).toEqual(before);
  });

  it('is refused with an item without its key, and with an unknown directive', () => {
    expect(() => apply({ ports: [{ name: 'x' }] })).toThrow('does not contain declared merge key: port');
    expect(() => apply({ data: { $patch: 'explode' } })).toThrow('unknown patch directive: explode');
  });
});

describe('a strategic merge patch of long lists', () => {
  /** Enough items that comparing each with each would exceed the test's timeout. */
  const many = <T>(item: (index: number) => T): T[] => Array.from({ length: 60_000 }, (_, index) => item(index));

  it('adds, changes, removes and orders items', () => {
    const ports = many((index) => ({ port: index }));
    const patch = ports.map((item) => (item.port % 2 === 0 ? { ...item, name: 'x' } : { ...item, $patch: 'delete' }));
    const order = ports.filter(({ port }) => port % 2 === 0).reverse();
    const result = applyStrategicMergePatch(schema, { ports }, { ports: patch, '$setElementOrder/ports': order });
    expect(result).toEqual({ ports: order.map((item) => ({ ...item, name: 'x' })) });
  });

  it('adds and removes primitives', () => {
    const names = many((index) => `n${index}`);
    expect(applyStrategicMergePatch(schema, { names: [] }, { names })).toEqual({ names });
    expect(applyStrategicMergePatch(schema, { names }, { '$deleteFromPrimitiveList/names': names })).toEqual({
      names: [],
    });
  });
});

describe('a merge patch', () => {
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: { c: null, d: 1 } }, { a: { d: 1 } }],
    [{ a: { b: 'c' } }, { a: { b: null, d: { e: null } } }, { a: { d: {} } }],
    [{ a: 'b' }, ['c'], ['c']],
    ['text', { a: 1 }, { a: 1 }],
  ])('changes %j with %j to %j', (before, patch, after) => {
    expect(applyMergePatch(before, patch)).toEqual(after);
  });
});
