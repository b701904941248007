import { describe, expect, it } from 'vitest';
import { difference, edit } from './difference.ts';

const between = (from: unknown, to: unknown, changed: unknown): unknown => edit(changed, difference(from, to));

describe('the difference between an object and its conversion', () => {
  it.each([
    { from: { a: 1 }, to: { a: 1, b: { c: null } } },
    { from: { a: { b: {} } }, to: { a: {} } },
    { from: { list: [1, 2] }, to: { list: [2] } },
    { from: { list: [{ name: 'x', a: 1 }, { name: 'y' }] }, to: { list: [{ name: 'x' }, { name: 'y', b: '' }] } },
    { from: { list: [{ name: 'x' }, { name: 'x' }] }, to: { list: [{ name: 'x', b: 1 }, { name: 'x' }] } },
    { from: {}, to: { status: { conditions: [] } } },
    { from: { 'a.b/c': false }, to: {} },
  ])('converts $from to $to', ({ from, to }) => {
    expect(between(from, to, from)).toEqual(to);
    expect(between(to, from, to)).toEqual(from);
  });

  it('yields to a change, and still restores what the change did not touch', () => {
    const from = { spec: { timeout: 1, ref: { name: 'a' } } };
    const to = { spec: { timeout: 1, seconds: 5, ref: { name: 'a', namespace: 'b' } } };
    expect(between(from, to, { spec: { timeout: 2, ref: { name: 'a' } } })).toEqual({
      spec: { timeout: 2, seconds: 5, ref: { name: 'a', namespace: 'b' } },
    });
    expect(between(from, to, { spec: { timeout: 1 } })).toEqual({ spec: { timeout: 1, seconds: 5 } });
  });

  it('applies many edits to a wide object, and to a long list, in linear time', { timeout: 45_000 }, () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `k${index}`);
    const labels = Object.fromEntries(names.map((name) => [name, '']));
    const items = names.map((name) => ({ name }));
    const added = names.slice(0, 10_000).map((name) => ({ at: ['labels', `${name}x`], to: '' }));
    const named = names.map((name) => ({ at: ['items', { name }, 'size'], to: 1 }));
    const edited = edit({ labels, items }, [...added, ...named]) as { labels: object; items: object[] };
    expect(Object.keys(edited.labels)).toHaveLength(30_000);
    expect(edited.items).toEqual(items.map((item) => ({ ...item, size: 1 })));
  });

  it('ignores edits with paths that no difference has', () => {
    const value = { list: [{ name: 'x', size: 1 }, null, 'x'] };
    const steps: unknown[] = [null, 1, [], {}, { name: 1 }, { name: null }, { size: 'x' }, 'name'];
    const edits = steps.map((step) => ({ at: ['list', step as string], from: { name: 'x', size: 1 }, to: {} }));
    expect(edit(value, edits)).toEqual(value);
  });

  it('finds the items of a list by their names, in any position', () => {
    const from = { files: [{ path: '/a' }, { path: '/b' }] };
    const to = { files: [{ path: '/a' }, { path: '/b', owner: 'root' }] };
    expect(between(from, to, { files: [{ path: '/b' }, { path: '/c' }] })).toEqual({
      files: [{ path: '/b', owner: 'root' }, { path: '/c' }],
    });
  });
});
