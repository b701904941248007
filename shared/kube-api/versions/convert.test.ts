import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import type { View } from '../resource.ts';
import { gizmo } from '../test-kinds.ts';
import { CONVERSION_DATA } from './conversion-data.ts';
import { fromStorage, toStorage } from './convert.ts';
import { servedResources } from './served.ts';
import { type OldGizmo, oldGizmo, VERSIONED_GIZMOS } from './test-version.ts';

const view = servedResources([VERSIONED_GIZMOS])[1]?.view as View;
const up = (object: OldGizmo): KubeObject => toStorage(view, object);
const down = (object: KubeObject): OldGizmo => fromStorage(view, object) as OldGizmo;
const dataOf = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[CONVERSION_DATA];

describe('conversion without loss', () => {
  it('adds no annotation if both versions hold the same', () => {
    const object = oldGizmo('one', { count: 3, fast: true, parts: { a: 1 } });
    expect(up(object)).toEqual(gizmo('one', { size: 3, mode: 'Fast', parts: [{ name: 'a', count: 1 }] }));
    expect(down(up(object))).toEqual(object);
  });

  it('records what only the older version holds, and the fields that it omitted', () => {
    const object = oldGizmo('one', { colour: 'red' });
    const stored = up(object);
    expect(JSON.parse(dataOf(stored) ?? '')).toEqual({
      version: 'v1beta1',
      edits: [
        { at: ['spec', 'count'], from: 1 },
        { at: ['spec', 'fast'], from: false },
        { at: ['spec', 'colour'], to: 'red' },
      ],
    });
    expect(down(stored)).toEqual(object);
    expect(up(down(stored))).toEqual(stored);
  });

  it('shows in the older version what has changed since, and nothing else', () => {
    const stored = up(oldGizmo('one', { colour: 'red' }));
    const changed = { ...stored, spec: { ...gizmo('one').spec, size: 7, mode: 'Slow' } } as KubeObject;
    expect(down(changed).spec).toEqual({ version: 'v1.30', count: 7, colour: 'red' });
  });

  it('keeps what only the stored version holds in an annotation of the older one, as upstream does', () => {
    const stored = gizmo('one', { size: 1, mode: 'Slow', clusterName: 'red', parts: [{ name: 'a' }] });
    const old = down(stored);
    expect(old.spec).toEqual({ version: 'v1.30', count: 1, fast: false, parts: { a: 0 } });
    expect(JSON.parse(dataOf(old) ?? '')).toEqual({ spec: stored.spec });
    expect(up(old)).toEqual(stored);
  });

  it('prefers a change in the older version over the annotated data', () => {
    const old = down(gizmo('one', { size: 1, mode: 'Slow', clusterName: 'red', parts: [{ name: 'a' }] }));
    const changed = up({ ...old, spec: { ...old.spec, count: 2, parts: { a: 3 } } });
    expect(changed).toEqual(
      gizmo('one', { size: 2, mode: 'Slow', clusterName: 'red', parts: [{ name: 'a', count: 3 }] }),
    );
  });

  it('refuses invalid conversion data, but does not show foreign data of stored objects', () => {
    const annotated = (data: string) => ({ metadata: { name: 'one', annotations: { [CONVERSION_DATA]: data } } });
    for (const data of ['{', '"x"', '{"spec":{"version":1}}', '{"spec":{"version":"v1.1","__proto__":{}}}']) {
      expect(() => up({ ...oldGizmo('one'), ...annotated(data) }), data).toThrow(`must hold a Gizmo of toys.windlass`);
    }
    for (const data of ['{', '{"version":"v1beta1","edits":[{}]}', '{"version":"v1alpha4","edits":[]}']) {
      const stored = { ...gizmo('one', { size: 1, mode: 'Slow' }), ...annotated(data) };
      expect(down(stored)).toEqual({ ...oldGizmo('one', { count: 1, fast: false }), metadata: { name: 'one' } });
    }
  });

  it('ignores data that makes the conversion fail or the object unreadable', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const edit of [
      '{"at":["spec","parts",null]}',
      `{"at":["spec","colour"],"to":${deep}}`,
      '{"at":["spec","colour"],"to":5}',
      '{"at":["spec","parts"],"to":[null]}',
      '{"at":["status"],"to":null}',
    ]) {
      const annotations = { [CONVERSION_DATA]: `{"version":"v1beta1","edits":[${edit}]}` };
      const stored = gizmo('one', { size: 1, mode: 'Slow' });
      const old = down({ ...stored, metadata: { ...stored.metadata, annotations } });
      expect(old.spec, edit.slice(0, 50)).toEqual({ version: 'v1.30', count: 1, fast: false });
      expect(old).not.toHaveProperty('status');
    }
  });

  it('ignores data that would show in the older version what is not stored', () => {
    const stored = gizmo('one', { size: 100, mode: 'Slow' });
    const seen = { version: 'v1.30', count: 100, fast: false };
    for (const edits of [
      [
        { at: ['spec', 'count'], from: 100, to: 3 },
        { at: ['spec', 'colour'], to: 'red' },
      ],
      [{ at: ['metadata'], to: { name: 'two', labels: { fake: 'yes' } } }],
      [{ at: ['kind'], to: 'Machine' }],
      [{ at: [], from: { spec: seen }, to: { spec: seen, metadata: { name: 'two' } } }],
      [{ at: [], from: { spec: seen }, to: 'nothing' }],
    ]) {
      const annotations = { [CONVERSION_DATA]: JSON.stringify({ version: 'v1beta1', edits }) };
      const old = down({ ...stored, metadata: { ...stored.metadata, annotations } });
      expect(old.spec).toEqual(seen);
      expect([old.kind, old.metadata.name, old.metadata.labels]).toEqual(['Gizmo', 'one', stored.metadata.labels]);
      expect((up({ ...old, metadata: { name: 'one' } }) as { spec?: object }).spec).toMatchObject({ size: 100 });
    }
  });
});
