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
  ])('%j', (patch, change) => {
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
    [[{ op: 'jump', path: '/labels' }]],
    [[{ op: 'add', path: 7, value: 'z' }]],
  ])('%j does not fit', (patch) => {
    expect(() => applyJsonPatch(target, patch)).toThrow(
      'the server rejected our request due to an error in our request',
    );
  });

  it('is a list of operations, of not too many', () => {
    const goType = 'handlers.jsonPatchOp';
    expect(() => applyJsonPatch(target, { op: 'add' })).toThrow(`unmarshal object into Go value of type []${goType}`);
    expect(() => applyJsonPatch(target, [7])).toThrow(`unmarshal number into Go value of type ${goType}`);
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/labels/a', value: 'b' }));
    expect(() => applyJsonPatch(target, many)).toThrow('operations in a JSON patch is 10000, got 10001');
  });
});
