import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { validateMetadataChange } from '../metadata.ts';
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { StatusError } from '../status-error.ts';
import { applyConfig } from './apply-config.ts';
import { merge } from './merge.ts';
import { THINGS } from './test-scenario.ts';
import { trackUpdate } from './track.ts';

/** As many managers and fields as a tenant can fit into an object, whose limit is 1.5 MiB. */
const MANY = 10_000;

/** Ample time for these tests, but not for comparing each field with each other one. */
const LIMITED = { timeout: 45_000 };

const many = <T>(item: (index: number) => T): T[] => Array.from({ length: MANY }, (_, index) => item(index));

const NOW = new Date('2026-01-01T00:00:00Z');

const thing = (labels: JsonObject, managedFields: ManagedFieldsEntry[] = []): KubeObject =>
  ({
    apiVersion: 'test.windlass.dev/v1',
    kind: 'Thing',
    metadata: { name: 'one', namespace: 'default', uid: '1', managedFields },
    spec: { labels },
  }) as unknown as KubeObject;

const managers = (operation: 'Apply' | 'Update'): ManagedFieldsEntry[] =>
  many((index) => ({
    manager: `m${index}`,
    operation,
    apiVersion: 'test.windlass.dev/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:labels': { [`f:own${index}`]: {} } } },
  }));

const labelled = (prefix: string, value: string): JsonObject =>
  Object.fromEntries(many((index) => [`${index % 2 ? 'k' : prefix}${index}`, value]));

const updater = { manager: 'u', subresource: '', scope: 'main' } as const;
const applier = { manager: 'm1', force: true, subresource: '', scope: 'main' } as const;

describe('an object with many managers', () => {
  it('can be updated in many fields', LIMITED, () => {
    const live = thing(labelled('a', ''), managers('Apply'));
    const tracked = trackUpdate(
      THINGS,
      live,
      { ...thing(labelled('b', 'x')), metadata: live.metadata },
      [updater],
      NOW,
    );
    expect(tracked).toHaveLength(MANY + 1);
  });

  it('can be changed by server-side apply', LIMITED, () => {
    const live = thing(labelled('a', ''), managers('Apply'));
    const applied = applyConfig(THINGS, live, { ...thing(labelled('b', 'x')) }, applier, NOW);
    expect(applied?.settle(live, live)).toHaveLength(MANY);
  });

  it('merges the fields of the oldest updaters into one entry', LIMITED, () => {
    const live = thing({ x: '1' });
    const next = thing({ x: '2' }, managers('Update'));
    const tracked = trackUpdate(THINGS, live, next, [updater], NOW);
    expect(tracked).toHaveLength(10);
    const ancient = tracked.find(({ manager }) => manager === 'ancient-changes');
    expect(JSON.stringify(ancient?.fieldsV1).match(/f:own/g)).toHaveLength(MANY - 8);
  });
});

describe('an object with long lists and paths', () => {
  const finalizers = Array.from({ length: 250_000 }, (_, index) => `a/${index}`);

  it('may keep its finalizers while it is being deleted', LIMITED, () => {
    const metadata = { name: 'one', uid: '1', deletionTimestamp: '2026-01-01T00:00:00Z' };
    const old = { ...metadata, finalizers };
    expect(validateMetadataChange({ ...metadata, finalizers: structuredClone(finalizers) }, old)).toEqual([]);
  });

  it('can have its lists merged', LIMITED, () => {
    const set = { type: 'array', 'x-kubernetes-list-type': 'set' } as const;
    const doubled = [...finalizers, ...finalizers.map((name) => `${name}x`)];
    expect(merge(set, doubled, structuredClone(doubled))).toHaveLength(doubled.length);
  });

  /** Fields at the end of a long path. */
  const deep = (value: number): JsonObject => {
    let inner: JsonObject = Object.fromEntries(many((index) => [`k${index}`, value]));
    for (let level = 0; level < 400; level += 1) inner = { a: inner };
    return inner;
  };

  it('reports the first of many conflicting fields, and the number of others', () => {
    const config = (value: number): JsonObject => ({ ...thing({}), spec: { free: deep(value) } });
    const live = config(1) as unknown as KubeObject;
    const managedFields = applyConfig(THINGS, undefined, config(1), applier, NOW)?.settle(live, undefined) ?? [];
    const owned = { ...live, metadata: { ...live.metadata, managedFields } };
    const refused = (): unknown =>
      applyConfig(THINGS, owned, config(2), { ...applier, manager: 'm2', force: false }, NOW);
    expect(refused).toThrow(/^Apply failed with 10000 conflicts: conflicts with "m1":\n- \.spec\.free\.a\.a/);
    const { message, details } = errorOf(refused);
    expect(message.endsWith('\nand 9500 more')).toBe(true);
    expect(details?.causes).toHaveLength(500);
  });

  const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const deepPath = (): JsonObject => {
    let inner: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) inner = { 'f:a': inner };
    return inner;
  };

  it.each([
    ['value', { 'f:spec': { 'f:zones': { [`v:${DEEP}`]: {} } } }],
    ['key', { 'f:spec': { 'f:ports': { [`k:{"port":${DEEP}}`]: {} } } }],
    ['path', deepPath()],
  ])('keeps its managers if an update contains one with a deeply nested %s', (_, fieldsV1) => {
    const [known, hostile] = managers('Update');
    const live = thing({ x: '1' }, [known as ManagedFieldsEntry]);
    const next = thing({ x: '1' }, [{ ...hostile, fieldsV1 } as ManagedFieldsEntry]);
    expect(trackUpdate(THINGS, live, next, [updater], NOW)).toEqual([known]);
  });
});

const errorOf = (work: () => unknown): StatusError => {
  try {
    work();
  } catch (error) {
    if (error instanceof StatusError) return error;
  }
  throw new Error('nothing was refused');
};
