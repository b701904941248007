import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { validateEmbedded } from './validate-embedded.ts';

const EMBEDDED: OpenApiSchema = { type: 'object', 'x-kubernetes-embedded-resource': true };
const SCHEMA: OpenApiSchema = {
  type: 'object',
  properties: {
    one: EMBEDDED,
    list: { type: 'array', items: EMBEDDED },
    map: { type: 'object', additionalProperties: EMBEDDED },
  },
};

const POD = { apiVersion: 'v1', kind: 'Pod' };

const fields = (value: object): string[] => validateEmbedded(SCHEMA, value, 'spec').map(({ field }) => field);
const details = (value: object): string[] =>
  validateEmbedded(SCHEMA, value, 'spec').map(({ field, detail }) => `${field}: ${detail.slice(0, 60)}`);

describe('embedded objects', () => {
  it('need a version and a kind, wherever they are', () => {
    expect(fields({ one: {}, list: [POD, { kind: 'Pod' }], map: { 'a/b': { apiVersion: 'v1' }, c: POD } })).toEqual([
      'spec.one.apiVersion',
      'spec.one.kind',
      'spec.list[1].apiVersion',
      'spec.map[a/b].kind',
    ]);
  });

  it.each([
    [{ apiVersion: 'a/b/c', kind: 'Pod' }, 'spec.one.apiVersion: unexpected GroupVersion string: a/b/c'],
    [{ apiVersion: 'a/b', kind: 'k_' }, 'spec.one.kind: may have mixed case, but should otherwise match: a DNS-1035 '],
  ])('are refused with %j', (one, detail) => {
    expect(details({ one })).toEqual([detail]);
  });

  it('may have any name that is valid in a path, or none', () => {
    expect(fields({ list: [POD, { ...POD, metadata: {} }, { ...POD, metadata: { name: 'A_b', uid: '' } }] })).toEqual(
      [],
    );
    expect(fields({ list: [{ ...POD, metadata: { generateName: 'B_' } }] })).toEqual([]);
  });

  it.each([
    [{ name: 'a/b' }, ['name']],
    [{ name: '..' }, ['name']],
    [{ generateName: 'a%' }, ['generateName']],
    [{ namespace: 'B_' }, ['namespace']],
    [{ generation: -1 }, ['generation']],
    [{ labels: { 'a b': 'c' } }, ['labels']],
    [{ labels: { a: 'b c' } }, ['labels']],
    [{ annotations: { 'a b': 'c' } }, ['annotations']],
    [{ finalizers: ['a b'] }, ['finalizers']],
    [{ ownerReferences: [{}] }, ['apiVersion', 'kind', 'name', 'uid'].map((field) => `ownerReferences.${field}`)],
  ])('are refused with the metadata %j', (metadata, names) => {
    expect(fields({ one: { ...POD, metadata } })).toEqual(names.map((name) => `spec.one.metadata.${name}`));
  });

  it('are left to the schema if their fields have wrong types', () => {
    const metadata = { labels: { a: 1 }, ownerReferences: 'x' };
    expect(fields({ one: { apiVersion: 1, kind: [], metadata }, list: [{ ...POD, metadata: 3 }] })).toEqual([]);
  });
});
