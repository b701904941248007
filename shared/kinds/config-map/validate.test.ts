import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { configMap } from './definition.ts';
import type { ConfigMap } from './schema.ts';

const withFields = (fields: Partial<ConfigMap>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  ...fields,
});

describe('ConfigMap admission', () => {
  it('refuses a key that is in both data and binaryData', () => {
    expect(refusals(configMap, withFields({ data: { a: 'x' }, binaryData: { a: 'eA==' } }))).toEqual([
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ]);
  });

  it('refuses changes of data if immutable is set', () => {
    const old = admit(configMap, withFields({ immutable: true, data: { a: 'x' } }));
    expect(refusals(configMap, { ...old, data: { a: 'y' } }, old)).toEqual([
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
  });

  it('counts text and binary entries in the Data column', () => {
    const column = configMap.columns.find(({ name }) => name === 'Data');
    expect(column?.value?.(withFields({ data: { a: 'x' }, binaryData: { b: 'eA==' } }), new Date(0))).toBe(2);
  });
});
