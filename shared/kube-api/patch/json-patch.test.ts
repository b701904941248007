import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';

const target = { labels: { a: 'b' }, list: ['x', 'y'] };

describe('a JSON patch', () => {
  it.each([
    [[{ op: 'replace', path: '/labels/new', value: 'c' }], { labels: { a: 'b', new: 'c' } }],
    [[{ op: 'copy', from: '/labels/none', path: '/labels/c' }], { labels: { a: 'b', c: null } }],
    [[{ op: 'add', path: '/labels/a' }], { labels: { a: null } }],
    [[{ op: 'add', path: '/labels/x~1y', value: 1 }], { labels: { a: 'b', 'x/y': 1 } }],
    [[{ op: 'add', path: '/list/-', value: 'z' }], { list: ['x', 'y', 'z'] }],
    [
      [
        { op: 'add', path: '/deep', value: {} },
        { op: 'replace', path: '/deep/b', value: 1 },
      ],
      { deep: { b: 1 } },
    ],
    [[{ op: 'test', path: '/labels/none', value: null }], {}],
    [[{ op: 'test', path: '/labels/none' }], {}],
    [[{ op: 'test', path: '/list/-1', value: 'y' }], {}],
    [[{ op: 'remove', path: '/list/-1' }], { list: ['x'] }],
    [[{ op: 'add', path: '/list/-1', value: 'z' }], { list: ['x', 'y', 'z'] }],
    [[{ op: 'add', path: '/list/-2', value: 'z' }], { list: ['x', 'z', 'y'] }],
    [[{ op: 'replace', path: '/list/-2', value: 'z' }], { list: ['z', 'y'] }],
    [[{ op: 'replace', path: '/list/00', value: 'z' }], { list: ['z', 'y'] }],
    [[{ op: 'copy', from: '/list/-1', path: '/labels/c' }], { labels: { a: 'b', c: 'y' } }],
    [null, {}],
  ])('is applied: %j', (patch, change) => {
    expect(applyJsonPatch(target, patch)).toEqual({ ...target, ...change });
    expect(target).toEqual({ labels: { a: 'b' }, list: ['x', 'y'] });
  });

  it.each([
    [[{ op: 'replace', path: '/list/9', value: 'z' }]],
    [[{ op: 'replace', path: '/none/a', value: 'z' }]],
    [[{ op: 'remove', path: '/labels/none' }]],
    [[{ op: 'move', from: '/labels/none', path: '/labels/c' }]],
    [[{ op: 'test', path: '/labels/a', value: 'c' }]],
    [[{ op: 'test', path: '/labels/a' }]],
    [[{ op: 'test', path: '/none/a', value: null }]],
    [[{ op: 'remove', path: '/list/-3' }]],
    [[{ op: 'remove', path: '/list/' }]],
    [[{ op: 'add', path: '/list/', value: 'z' }]],
    [[{ op: 'move', from: '/list/', path: '/labels/c' }]],
    [[{ op: 'jump', path: '/labels' }]],
    [[{ op: 'add', path: 7, value: 'z' }]],
  ])('is refused if it does not fit: %j', (patch) => {
    expect(() => applyJsonPatch(target, patch)).toThrow(
      'the server rejected our request due to an error in our request',
    );
  });

  it('moves values', () => {
    const move = (from: string, path: string) => [{ op: 'move', from, path }];
    expect(applyJsonPatch(target, move('/labels/a', '/list/0'))).toEqual({ labels: {}, list: ['b', 'x', 'y'] });
    expect(applyJsonPatch(target, move('/list/-1', '/list/0'))).toEqual({ ...target, list: ['y', 'x'] });
    expect(applyJsonPatch(target, move('/list/0', '/list/-'))).toEqual({ ...target, list: ['y', 'x'] });
    expect(applyJsonPatch(target, move('/labels', ''))).toEqual({ a: 'b' });
    expect(() => applyJsonPatch(target, move('/list/0', '/list/5'))).toThrow('an error in our request');
    expect(() => applyJsonPatch(target, move('/labels', '/labels/a'))).toThrow('an error in our request');
  });

  it('copies no more than 3 MiB', () => {
    const copies = (count: number) => [
      { op: 'add', path: '/d', value: { a: 'x'.repeat(100) } },
      ...Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/d', path: `/d/x${index}` })),
    ];
    expect(applyJsonPatch(target, copies(3))).toMatchObject({ d: { x2: { x1: { x0: {} } } } });
    expect(() => applyJsonPatch(target, copies(60))).toThrow('an error in our request');
  });

  it('does not copy the later items of a list when it moves an item in front of them', () => {
    const large = Array.from({ length: 100_000 }, (_, index) => index);
    const patch = Array.from({ length: 10_000 }, () => ({ op: 'move', from: '/list/1', path: '/list/0' }));
    expect(applyJsonPatch({ list: [large, large] }, patch)).toHaveProperty('list.length', 2);
  });

  it('must be a list of operations, and not too long', () => {
    const goType = 'handlers.jsonPatchOp';
    expect(() => applyJsonPatch(target, { op: 'add' })).toThrow(`unmarshal object into Go value of type []${goType}`);
    expect(() => applyJsonPatch(target, [7])).toThrow(`unmarshal number into Go value of type ${goType}`);
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/labels/a', value: 'b' }));
    expect(() => applyJsonPatch(target, many)).toThrow('operations in a JSON patch is 10000, got 10001');
  });
});
