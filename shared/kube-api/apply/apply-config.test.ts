import { beforeEach, describe, expect, it } from 'vitest';
import { createScenario, type Scenario } from './test-scenario.ts';

let thing: Scenario;
beforeEach(() => {
  thing = createScenario();
});

const TCP_80 = 'k:{"port":80,"protocol":"TCP"}';

describe('one applier', () => {
  it('owns the fields in its config, and removes those that it drops from its config', () => {
    thing.apply('a', { size: 1, color: 'red', labels: { x: '1', y: '2' } });
    thing.apply('a', { size: 2, labels: { y: '2' } });
    expect(thing.spec()).toEqual({ size: 2, labels: { y: '2' } });
    expect(thing.owned()).toEqual({ a: { 'f:size': {}, 'f:labels': { 'f:y': {} } } });
  });

  it('removes the structures that it created, but not the object itself', () => {
    thing.apply('a', { size: 1, nested: { b: { c: 1 } }, ports: [{ port: 80, name: 'web' }] });
    thing.apply('a', { size: 1 });
    expect(thing.spec()).toEqual({ size: 1 });
    thing.apply('a', {});
    expect(thing.object().metadata.name).toBe('one');
  });

  it('removes items, and fields of items, that it drops from its config', () => {
    thing.apply('a', {
      zones: ['x', 'y'],
      ports: [
        { port: 80, name: 'web' },
        { port: 53, protocol: 'UDP' },
      ],
    });
    thing.apply('a', { zones: ['y'], ports: [{ port: 80 }] });
    expect(thing.spec()).toEqual({ zones: ['y'], ports: [{ port: 80 }] });
  });

  it('writes nothing when it applies the same config again', () => {
    thing.apply('a', { size: 1 });
    const before = thing.object();
    thing.tick();
    thing.apply('a', { size: 1 });
    expect(thing.object()).toBe(before);
  });

  it('does not change fields that it never owned', () => {
    thing.apply('a', { size: 1 });
    thing.store((object) => ({ ...object, spec: { size: 1, color: 'red', labels: { z: '1' } } }));
    thing.apply('a', {});
    expect(thing.spec()).toEqual({ color: 'red', labels: { z: '1' } });
  });

  it("leaves another applier's item in place when it gives up its own field of the item", () => {
    thing.apply('a', { ports: [{ port: 80 }] });
    thing.apply('b', { ports: [{ port: 80, name: 'web' }] });
    thing.apply('b', {});
    expect(thing.spec()).toEqual({ ports: [{ port: 80 }] });
    expect(thing.owned()).toMatchObject({ a: { 'f:ports': { [TCP_80]: { '.': {}, 'f:port': {} } } } });
  });

  it('keeps an object that is empty in its config', () => {
    thing.apply('a', { size: 1, nested: { a: 1 } });
    thing.apply('a', { size: 1, nested: {} });
    expect(thing.spec()).toEqual({ size: 1, nested: {} });
  });
});

describe('several appliers', () => {
  it('share fields on which they agree, until the last one gives them up', () => {
    thing.apply('a', { size: 1, color: 'red' });
    expect(thing.conflicts('b', { size: 1 })).toEqual([]);
    thing.apply('a', { color: 'red' });
    expect(thing.spec()).toEqual({ size: 1, color: 'red' });
    thing.apply('b', {});
    expect(thing.spec()).toEqual({ color: 'red' });
    expect(thing.owned()).toEqual({ a: { 'f:color': {} }, b: {} });
  });

  it('conflict over each field on which they disagree', () => {
    thing.apply('a', { size: 1, color: 'red', ports: [{ port: 80, name: 'web' }] });
    expect(thing.conflicts('b', { size: 2, color: 'blue', ports: [{ port: 80, name: 'x' }] })).toEqual([
      '.spec.color: conflict with "a"',
      '.spec.size: conflict with "a"',
      '.spec.ports[port=80,protocol="TCP"].name: conflict with "a"',
    ]);
    expect(thing.spec()).toMatchObject({ size: 1 });
  });

  it('take fields over by force, after which the former owner can change them only by force', () => {
    thing.apply('a', { size: 1, color: 'red' });
    thing.apply('b', { size: 2 }, { force: true });
    expect(thing.owned()).toEqual({ a: { 'f:color': {} }, b: { 'f:size': {} } });
    expect(thing.conflicts('a', { size: 1, color: 'red' })).toEqual(['.spec.size: conflict with "b"']);
  });

  it('own different items of one list', () => {
    thing.apply('a', { zones: ['x'], ports: [{ port: 80 }] });
    thing.apply('b', { zones: ['y'], ports: [{ port: 81 }] });
    thing.apply('a', {});
    expect(thing.spec()).toEqual({ zones: ['y'], ports: [{ port: 81 }] });
  });

  it('share an item and own separate fields of it', () => {
    thing.apply('a', { ports: [{ port: 80, name: 'web' }] });
    thing.apply('b', { ports: [{ port: 80, protocol: 'TCP', tags: {} }] });
    thing.apply('a', {});
    expect(thing.spec()).toEqual({ ports: [{ port: 80, protocol: 'TCP', tags: {} }] });
  });

  it('conflict over an atomic list and an atomic map as a whole', () => {
    thing.apply('a', { args: ['x'], selector: { match: { k: 'v' } } });
    expect(thing.conflicts('b', { args: ['x', 'y'], selector: { match: { k: 'w' } } })).toEqual([
      '.spec.args: conflict with "a"',
      '.spec.selector: conflict with "a"',
    ]);
  });

  it('own separate members of a free-form field', () => {
    thing.apply('a', { free: { x: { y: 1 } } });
    thing.apply('b', { free: { x: { z: 2 } } });
    thing.apply('a', {});
    expect(thing.spec()).toEqual({ free: { x: { z: 2 } } });
  });
});

describe('an applier beside updaters', () => {
  it('loses a changed field to an update without an error, and conflicts with the updater afterwards', () => {
    thing.apply('a', { size: 1, color: 'red' });
    thing.update('u', { size: 5, color: 'red' });
    expect(thing.owned()).toEqual({ a: { 'f:color': {} }, u: { 'f:size': {} } });
    expect(thing.conflicts('a', { size: 1, color: 'red' })).toEqual([
      '.spec.size: conflict with "u" using test.windlass.dev/v1',
    ]);
    thing.apply('a', { color: 'red' });
    expect(thing.spec()).toEqual({ size: 5, color: 'red' });
  });

  it('loses fields that an update removes', () => {
    thing.apply('a', { size: 1, labels: { x: '1' } });
    thing.update('u', { size: 1 });
    expect(thing.owned()).toEqual({ a: { 'f:size': {} } });
  });

  it('conflicts with before-first-apply over fields that were set before tracking', () => {
    thing.update('u', { size: 1, color: 'red' });
    thing.store(({ metadata, ...object }) => ({ ...object, metadata: { ...metadata, managedFields: undefined } }));
    expect(thing.conflicts('a', { size: 2 })).toEqual([
      '.spec.size: conflict with "before-first-apply" using test.windlass.dev/v1',
    ]);
    thing.apply('a', { size: 1 });
    expect(Object.keys(thing.owned())).toEqual(['a', 'before-first-apply']);
    expect(thing.object().metadata.managedFields?.[1]?.time).toBe('2026-01-01T00:00:00Z');
  });

  it('owns metadata, except for what the server sets or every request contains', () => {
    thing.apply('a', { size: 1 }, { rest: { metadata: { labels: { l: 'v' }, finalizers: ['x.dev/f'] } } });
    expect(thing.object().metadata.managedFields?.[0]?.fieldsV1).toEqual({
      'f:metadata': { 'f:finalizers': { 'v:"x.dev/f"': {} }, 'f:labels': { 'f:l': {} } },
      'f:spec': { 'f:size': {} },
    });
  });
});

describe('kubectl', () => {
  const KEY = 'kubectl.kubernetes.io/last-applied-configuration';
  const annotated = (spec: object) => ({
    metadata: {
      annotations: { [KEY]: JSON.stringify({ apiVersion: 'test.windlass.dev/v1', kind: 'Thing', metadata: {}, spec }) },
    },
  });

  it('takes over fields of client-side apply that no other client has changed', () => {
    thing.update('kubectl-client-side-apply', { size: 1, color: 'red' }, annotated({ size: 1, color: 'red' }));
    expect(thing.conflicts('argo', { size: 2 })).toHaveLength(1);
    expect(thing.conflicts('kubectl', { size: 2, color: 'red' })).toEqual([]);
    expect(thing.spec()).toEqual({ size: 2, color: 'red' });
  });

  it('does not take over fields that another client has changed since', () => {
    thing.update('kubectl-client-side-apply', { size: 1, color: 'red' }, annotated({ size: 1, color: 'red' }));
    thing.update('scaler', { size: 7, color: 'red' }, annotated({ size: 1, color: 'red' }));
    expect(thing.conflicts('kubectl', { size: 1, color: 'blue' })).toEqual([
      '.spec.size: conflict with "scaler" using test.windlass.dev/v1',
    ]);
  });

  it('keeps the annotation up to date, so that client-side apply can be used again', () => {
    thing.update('kubectl-client-side-apply', { size: 1 }, annotated({ size: 1 }));
    thing.apply('kubectl', { size: 3 });
    const text = thing.object().metadata.annotations?.[KEY] ?? '';
    expect(JSON.parse(text)).toMatchObject({ spec: { size: 3 } });
  });
});
