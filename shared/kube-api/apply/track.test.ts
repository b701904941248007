import { beforeEach, describe, expect, it } from 'vitest';
import { createScenario, type Scenario, THINGS } from './test-scenario.ts';

let thing: Scenario;
beforeEach(() => {
  thing = createScenario();
});

const entryOf = (manager: string) => thing.object().metadata.managedFields?.find((entry) => entry.manager === manager);

describe('tracking updates', () => {
  it('gives the creator all fields, including the structure', () => {
    thing.update('u', { size: 1, nested: { a: 1 }, labels: { x: '1' }, zones: ['z'] });
    expect(thing.object().metadata.managedFields).toEqual([
      {
        manager: 'u',
        operation: 'Update',
        apiVersion: 'test.windlass.dev/v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            '.': {},
            'f:labels': { '.': {}, 'f:x': {} },
            'f:nested': { '.': {}, 'f:a': {} },
            'f:size': {},
            'f:zones': { '.': {}, 'v:"z"': {} },
          },
        },
      },
    ]);
  });

  it('moves changed fields to the client that changed them, with the time of the change', () => {
    thing.update('u', { size: 1, color: 'red' });
    thing.tick();
    thing.update('v', { size: 2, color: 'red' });
    expect(thing.owned()).toEqual({ u: { '.': {}, 'f:color': {} }, v: { 'f:size': {} } });
    expect([entryOf('u')?.time, entryOf('v')?.time]).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z']);
  });

  it('does nothing if nothing changes', () => {
    thing.update('u', { size: 1 });
    thing.tick();
    thing.update('v', { size: 1 }, { metadata: { managedFields: thing.object().metadata.managedFields } });
    expect(entryOf('v')).toBeUndefined();
    expect(entryOf('u')?.time).toBe('2026-01-01T00:00:00Z');
  });

  it('drops managers without fields', () => {
    thing.update('u', { size: 1 });
    thing.update('v', { size: 2 });
    thing.update('v', {});
    expect(thing.owned()).toEqual({ u: {} });
  });

  it.each([
    ['a built-in kind', [], true],
    ['a built-in kind', [{}], true],
    ['another kind', [{}], false],
  ])('of %s is reset by %j, and restarts with the next apply', (_kind, managedFields, builtIn) => {
    thing = createScenario({ ...THINGS, builtIn });
    thing.update('u', { size: 1 });
    thing.update('v', { size: 1 }, { metadata: { managedFields } });
    expect(thing.object().metadata.managedFields).toEqual([]);
    thing.update('v', { size: 2 });
    expect(thing.object().metadata.managedFields).toEqual([]);
    thing.apply('a', { size: 2 });
    expect(Object.keys(thing.owned())).toEqual(['a', 'before-first-apply']);
  });

  it('keeps the stored entries of a kind that is not built in if a client sends an empty list', () => {
    thing.apply('a', { size: 1 });
    thing.update('v', { size: 1, color: 'red' }, { metadata: { managedFields: [] } });
    expect(thing.owned()).toEqual({ a: { 'f:size': {} }, v: { 'f:color': {} } });
  });

  it.each([
    ['of an unknown operation', { manager: 'x', operation: 'Steal', apiVersion: 'v1', fieldsType: 'FieldsV1' }],
    ['without a version', { manager: 'x', operation: 'Update', fieldsType: 'FieldsV1' }],
    ['of an unknown format', { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2' }],
    [
      'that cannot be read',
      { manager: 'x', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { nonsense: {} } },
    ],
  ])('keeps the stored entries if a client sends entries %s', (_what, entry) => {
    thing.update('u', { size: 1 });
    thing.update('v', { size: 1 }, { metadata: { managedFields: [entry] } });
    expect(Object.keys(thing.owned())).toEqual(['u']);
  });

  it('accepts valid entries from a client, which kubectl sends to change over to server-side apply', () => {
    thing.update('u', { size: 1 });
    const [entry] = thing.object().metadata.managedFields ?? [];
    const managedFields = [{ ...entry, manager: 'kubectl', operation: 'Apply' }];
    thing.update('v', { size: 1 }, { metadata: { managedFields } });
    expect(thing.object().metadata.managedFields).toEqual(managedFields);
  });

  describe('of a field that has since become atomic', () => {
    const entry = (manager: string, operation: string, spec: object) => ({
      manager,
      operation,
      apiVersion: 'test.windlass.dev/v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': spec },
    });
    const PARTS = { 'f:selector': { 'f:match': { 'f:a': {} } }, 'f:args': { 'v:"x"': {} }, 'f:size': {} };
    const stored = { size: 1, selector: { match: { a: 'b' } }, args: ['x'] };
    beforeEach(() => {
      thing.update('u', stored);
      thing.store(({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, managedFields: [entry('old', 'Apply', PARTS), entry('u', 'Update', PARTS)] as never },
      }));
    });

    it('makes an applier conflict with the owners of parts of the field', () => {
      expect(thing.conflicts('new', { selector: { match: { a: 'c' } } })).toEqual([
        '.spec.selector: conflict with "old"',
        expect.stringMatching(/^\.spec\.selector: conflict with "u" using test\.windlass\.dev\/v1/),
      ]);
      expect(thing.conflicts('new', { args: ['y'] })).toHaveLength(2);
    });

    it('records the field as a whole', () => {
      thing.update('v', { ...stored, size: 2 });
      const whole = { 'f:args': {}, 'f:selector': {} };
      expect(thing.owned()).toEqual({ old: whole, u: whole, v: { 'f:size': {} } });
    });

    it('removes the field with its last applier', () => {
      thing.update('v', { ...stored, size: 2 });
      thing.store(({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, managedFields: [entry('old', 'Apply', PARTS)] as never },
      }));
      thing.apply('old', { size: 2 });
      expect(thing.spec()).toEqual({ size: 2 });
    });
  });

  it('keeps ten updaters, the oldest of which are merged under one name', () => {
    for (let count = 0; count < 13; count += 1) {
      thing.update(`u${count}`, {
        labels: Object.fromEntries(Array.from({ length: count + 1 }, (_, n) => [`l${n}`, 'x'])),
      });
      thing.tick();
    }
    const names = Object.keys(thing.owned());
    expect(names).toHaveLength(10);
    expect(names[0]).toBe('ancient-changes');
    expect(thing.owned()['ancient-changes']).toEqual({
      '.': {},
      'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {}, 'f:l3': {} },
    });
    expect(entryOf('ancient-changes')?.time).toBe('2026-01-01T00:03:00Z');
  });
});
