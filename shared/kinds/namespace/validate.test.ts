import { describe, expect, it } from 'vitest';
import { admitCreate, admitUpdate } from '../../kube-api/registry/admission.ts';
import type { ResourceDefinition } from '../../kube-api/resource.ts';
import { namespace as definition } from './definition.ts';
import type { Namespace } from './schema.ts';

const kind = definition as ResourceDefinition<Namespace>;

const namespace = (name: string, more: Partial<Namespace> = {}): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  ...more,
  metadata: { name, ...more.metadata },
});

const admitted = (name: string, more?: Partial<Namespace>): Namespace =>
  admitCreate(kind, namespace(name, more), { uid: 'u', now: new Date(0), scope: 'main' });

describe('a namespace', () => {
  it('gets its name as a label, a finalizer and a phase', () => {
    const { metadata, spec, status } = admitted('team', {
      metadata: { name: 'team', labels: { 'kubernetes.io/metadata.name': 'another' } },
      spec: { finalizers: ['example.com/a'] },
    });
    expect(metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'team' });
    expect(spec).toEqual({ finalizers: ['example.com/a', 'kubernetes'] });
    expect(status).toEqual({ phase: 'Active' });
  });

  it('keeps the label and the finalizers regardless of the request', () => {
    const old = admitted('team');
    const changed = admitUpdate(kind, { ...old, metadata: { ...old.metadata, labels: {} }, spec: {} }, old, 'main');
    expect(changed).toEqual(old);
  });

  it.each([
    ['has.dots', 'must not contain dots'],
    ['Has.Dots', 'a lowercase RFC 1123 label must consist'],
    [`x${'x'.repeat(63)}`, 'must be no more than 63 characters'],
    ['-a', 'metadata.labels: Invalid value: "-a": a valid label must be'],
  ])('cannot be called %s', (name, why) => {
    expect(() => admitted(name)).toThrow(why);
  });

  it('is refused with a finalizer without a domain', () => {
    const more = { spec: { finalizers: ['nodomain'] } };
    expect(() => admitted('team', more)).toThrow('spec.finalizers: Invalid value: "nodomain"');
  });

  it.each([
    [undefined, 'Terminating', "may only be 'Active' if `deletionTimestamp` is empty"],
    ['2026-01-01T00:00:00Z', 'Active', "may only be 'Terminating' if `deletionTimestamp` is not empty"],
  ])('being deleted since %s cannot have the phase %s', (deletionTimestamp, phase, why) => {
    const team = admitted('team');
    const old = { ...team, metadata: { ...team.metadata, ...(deletionTimestamp ? { deletionTimestamp } : {}) } };
    expect(() => admitUpdate(kind, { ...old, status: { phase } }, old, 'status')).toThrow(why);
  });
});
