import { expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import type { StorageEvent } from '../storage/storage.ts';
import type { Selection } from './read.ts';
import { createVisibility } from './watch-visibility.ts';

const SELECTION: Selection = {
  match: ({ metadata }) => metadata.labels?.app === 'x',
  everything: false,
  changing: true,
};

const object = (app: string, resourceVersion: number, uid = 'first'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Gizmo',
  metadata: { name: 'one', namespace: 'a', uid, labels: { app }, resourceVersion: String(resourceVersion) },
});

const typesOf = (began: KubeObject[] | undefined, ...events: StorageEvent[]): (string | undefined)[] =>
  events.map(createVisibility(SELECTION, began)).map((event) => event?.type);

/** Larger than what a watch keeps in memory. */
const large = (...given: Parameters<typeof object>): KubeObject =>
  ({ ...object(...given), data: { text: 'x'.repeat(70_000) } }) as KubeObject;

it('a watch with a selector reports the deletion of an object that is replaced by one that does not match', () => {
  const visible = createVisibility(SELECTION, [object('x', 5)]);
  expect(visible({ type: 'ADDED', object: object('y', 9, 'second') })).toEqual({
    type: 'DELETED',
    object: object('x', 9),
  });
});

it('a watch with a selector reports only the known parts of a large object that is replaced', () => {
  const visible = createVisibility(SELECTION, [large('x', 5)]);
  expect(visible({ type: 'ADDED', object: large('y', 9, 'second') })).toEqual({
    type: 'DELETED',
    object: {
      apiVersion: 'v1',
      kind: 'Gizmo',
      metadata: { name: 'one', namespace: 'a', uid: 'first', resourceVersion: '9' },
    },
  });
});

it('a watch with a selector reports an object that no longer matches as it was sent, or as the storage remembers it if it is large', () => {
  const previous = [object('y', 7), object('x', 6)];
  const ceased: StorageEvent = { type: 'MODIFIED', object: object('z', 9), previous };
  const sent = { ...object('x', 5), data: { text: 'as it was sent' } } as KubeObject;
  expect(createVisibility(SELECTION, [sent])(ceased)).toEqual({
    type: 'DELETED',
    object: { ...object('x', 9), data: { text: 'as it was sent' } },
  });
  expect(createVisibility(SELECTION, [large('x', 5)])(ceased)).toEqual({ type: 'DELETED', object: object('x', 9) });
});

it('a watch with a selector reports a replacement that matches as added', () => {
  expect(typesOf([object('x', 5)], { type: 'ADDED', object: object('x', 9, 'second') })).toEqual(['ADDED']);
});

it('a watch that started with a list reports no deletion of an object that did not exist then', () => {
  const ceased: StorageEvent = { type: 'MODIFIED', object: object('y', 9), previous: [object('x', 5)] };
  expect(typesOf([], ceased)).toEqual([undefined]);
  expect(typesOf(undefined, ceased)).toEqual(['DELETED']);
});

it('a watch with a selector relies on the events that it has already sent', () => {
  const began: StorageEvent = { type: 'MODIFIED', object: object('x', 9), previous: [object('y', 5)] };
  const ceased: StorageEvent = { type: 'MODIFIED', object: object('y', 10), uncertain: true };
  const changed: StorageEvent = { type: 'MODIFIED', object: object('z', 11), uncertain: true };
  expect(typesOf(undefined, began, ceased, changed)).toEqual(['ADDED', 'DELETED', undefined]);
});

it('a watch that resumed reports a replaced object with the parts that the storage knows', () => {
  const replaced: StorageEvent = { type: 'ADDED', object: large('y', 9, 'second'), previous: [large('x', 9)] };
  const known = { apiVersion: 'v1', kind: 'Gizmo', metadata: { ...object('x', 9).metadata } };
  expect(createVisibility(SELECTION, undefined)(replaced)).toEqual({ type: 'DELETED', object: known });
  expect(createVisibility(SELECTION, [large('x', 5)])(replaced)).toEqual({ type: 'DELETED', object: known });
  expect(typesOf([], replaced)).toEqual([undefined]);
});

it('a watch that resumed reports a replacement that matches as added, even if the replaced object matched', () => {
  const replaced: StorageEvent = { type: 'ADDED', object: object('x', 9, 'second'), previous: [object('x', 9)] };
  expect(typesOf(undefined, replaced)).toEqual(['ADDED']);
});
