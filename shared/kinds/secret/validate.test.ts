import { describe, expect, it } from 'vitest';
import { admit, refusals } from '../test-admission.ts';
import { secret } from './definition.ts';
import type { Secret } from './schema.ts';

const withFields = (fields: Partial<Secret>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'quickstart-ca', namespace: 'default' },
  ...fields,
});

const b64 = (text: string): string => Buffer.from(text).toString('base64');

describe('Secret admission', () => {
  it('moves stringData into data, where it takes precedence', () => {
    const admitted = admit(secret, withFields({ data: { a: b64('old'), b: b64('kept') }, stringData: { a: 'new' } }));
    expect(admitted.data).toEqual({ a: b64('new'), b: b64('kept') });
    expect(admitted).not.toHaveProperty('stringData');
    expect(admitted.type).toBe('Opaque');
  });

  it('does not show the value of a key it refuses', () => {
    const lines = refusals(secret, withFields({ stringData: { 'a b': 'hunter2' } }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^data\[a b\]: Invalid value: "a b": a valid config key must consist/);
    expect(lines[0]).not.toContain(b64('hunter2'));
  });

  it('refuses to change the type', () => {
    const old = admit(secret, withFields({ type: 'cluster.x-k8s.io/secret' }));
    expect(refusals(secret, { ...old, type: 'Opaque' }, old)).toEqual([
      'type: Invalid value: "Opaque": field is immutable',
    ]);
  });

  it('refuses to change data or to unset immutable if immutable is set', () => {
    const old = admit(secret, withFields({ immutable: true, data: { a: b64('x') } }));
    expect(refusals(secret, { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }, old)).toEqual([]);
    expect(refusals(secret, { ...old, immutable: false, data: {} }, old)).toEqual([
      'immutable: Forbidden: field is immutable when `immutable` is set',
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
  });

  it('requires the keys of its type, and at most a mebibyte of data', () => {
    expect(refusals(secret, withFields({ type: 'kubernetes.io/tls' }))).toEqual([
      'data[tls.crt]: Required value',
      'data[tls.key]: Required value',
    ]);
    expect(refusals(secret, withFields({ stringData: { a: 'x'.repeat(1024 * 1024 + 1) } }))).toEqual([
      'data: Too long: may not be more than 1048576 bytes',
    ]);
  });

  it('finds the cluster by the label, never by the name', () => {
    const labels = { 'cluster.x-k8s.io/cluster-name': 'quickstart' };
    expect(secret.clusterNameOf?.(withFields({}))).toBeUndefined();
    expect(secret.clusterNameOf?.(withFields({ metadata: { name: 'x', labels } }))).toBe('quickstart');
  });

  it('counts the entries in the Data column', () => {
    const column = secret.columns.find(({ name }) => name === 'Data');
    expect(column?.value?.(withFields({ data: { a: '', b: '' } }), new Date(0))).toBe(2);
  });
});
