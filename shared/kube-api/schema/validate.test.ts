import { expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { validateSchema } from './validate.ts';

const TAINTS: OpenApiSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['key', 'effect'],
  items: { type: 'object', properties: { key: { type: 'string' }, effect: { type: 'string' } } },
};

it('unique items are compared in linear time, whatever the order of their members', { timeout: 45_000 }, () => {
  const schema = { type: 'array', uniqueItems: true } as const;
  const items = Array.from({ length: 30_000 }, (_, index) => ({ a: 1, b: index }));
  expect(validateSchema(schema, items, 'list')).toEqual([]);
  expect(validateSchema(schema, [...items, { b: 5, a: 1 }], 'list')).toMatchObject([
    { detail: "list in body shouldn't contain duplicates" },
  ]);
});

it('a duplicate item is reported with its keys in alphabetical order, as Go prints them', () => {
  const taint = { key: 'example.com/a', effect: 'NoSchedule' };
  const [error] = validateSchema(TAINTS, [taint, { ...taint, effect: 'NoExecute' }, taint], 'spec.taints');
  expect(error?.field).toBe('spec.taints[2]');
  expect(JSON.stringify(error?.badValue)).toBe('{"effect":"NoSchedule","key":"example.com/a"}');
});
