import { expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import { createSentStates } from './sent-states.ts';

const object = (name: string, text = ''): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Gizmo', metadata: { name, uid: `u-${name}` }, spec: { text } }) as KubeObject;

it('the record of sent states returns the last state of a name, and nothing after its deletion', () => {
  const sent = createSentStates();
  expect(sent.has('one')).toBe(false);
  sent.set('one', object('one', 'first'));
  sent.set('one', object('one', 'second'));
  expect(sent.get('one')).toEqual({ uid: 'u-one', state: object('one', 'second') });
  sent.set('one', undefined);
  expect([sent.has('one'), sent.get('one')]).toEqual([true, undefined]);
});

it('the record of sent states keeps only the uid of a large object', () => {
  const sent = createSentStates();
  sent.set('one', object('one', 'x'.repeat(64_000)));
  expect(sent.get('one')).toEqual({ uid: 'u-one', state: undefined });
});

it('the record of sent states keeps only the uids of the oldest objects if the total is too large', () => {
  const sent = createSentStates(1_000);
  for (const name of ['a', 'b', 'c', 'd']) sent.set(name, object(name, 'x'.repeat(300)));
  expect(['a', 'b', 'c', 'd'].map((name) => sent.get(name)?.state !== undefined)).toEqual([false, false, true, true]);
  expect(sent.get('a')?.uid).toBe('u-a');
});
