import { describe, expect, it } from 'vitest';
import { difference, edit } from './difference.ts';

const between = (from: unknown, to: unknown, changed: unknown): unknown => edit(changed, difference(from, to));

describe('what a conversion loses and gets back', () => {
  it.each([
    { from: { a: 1 }, to: { a: 1, b: { c: null } } },
    { from: { a: { b: {} } }, to: { a: {} } },
    { from: { list: [1, 2] }, to: { list: [2] } },
    { from: { list: [{ name: 'x', a: 1 }, { name: 'y' }] }, to: { list: [{ name: 'x' }, { name: 'y', b: '' }] } },
    { from: { list: [{ name: 'x' }, { name: 'x' }] }, to: { list: [{ name: 'x', b: 1 }, { name: 'x' }] } },
    { from: {}, to: { status: { conditions: [] } } },
    { from: { 'a.b/c': false }, to: {} },
  ])('makes $to of $from', ({ from, to }) => {
    expect(between(from, to, from)).toEqual(to);
    expect(between(to, from, to)).toEqual(from);
  });

  it('lets a change win, and still brings back what it did not touch', () => {
    const from = { spec: { timeout: 1, ref: { name: 'a' } } };
    const to = { spec: { timeout: 1, seconds: 5, ref: { name: 'a', namespace: 'b' } } };
    expect(between(from, to, { spec: { timeout: 2, ref: { name: 'a' } } })).toEqual({
      spec: { timeout: 2, seconds: 5, ref: { name: 'a', namespace: 'b' } },
    });
    expect(between(from, to, { spec: { timeout: 1 } })).toEqual({ spec: { timeout: 1, seconds: 5 } });
  });

  it('finds the items of a list by their names, in any position', () => {
    const from = { files: [{ path: '/a' }, { path: '/b' }] };
    const to = { files: [{ path: '/a' }, { path: '/b', owner: 'root' }] };
    expect(between(from, to, { files: [{ path: '/b' }, { path: '/c' }] })).toEqual({
      files: [{ path: '/b', owner: 'root' }, { path: '/c' }],
    });
  });
});
