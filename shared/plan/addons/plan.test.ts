import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ClusterResourceSet, ConfigMap, Secret } from '../../kinds/index.ts';
import { type ResourceRecord, recordFor } from './binding.ts';
import { isComplete, planSet } from './plan.ts';
import { hashOf, type Source, valuesOf } from './source.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const MANIFEST = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: demo}\n';

const set = (strategy: 'ApplyOnce' | 'Reconcile'): ClusterResourceSet => ({
  apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
  kind: 'ClusterResourceSet',
  metadata: { name: 'cni', namespace: 'default' },
  spec: { clusterSelector: { matchLabels: { cni: 'x' } }, resources: [{ kind: 'ConfigMap', name: 'a' }], strategy },
});
const configMap = (name: string, data?: Record<string, string>): Source => ({
  ref: { kind: 'ConfigMap', name },
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...(data ? { data } : {}) } as ConfigMap,
});
const secret = (name: string, type: string, text: string): Source => ({
  ref: { kind: 'Secret', name },
  object: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    type,
    data: { a: Buffer.from(text).toString('base64') },
  } as Secret,
});
const RIGHT = 'addons.cluster.x-k8s.io/resource-set';
const hash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const done = (source: Source, text: string, applied = true): ResourceRecord =>
  recordFor(source.ref, { applied, hash: hash(text), now: NOW });

describe('the hash of a resource', () => {
  it('depends on the decoded values in the order of their keys', () => {
    const values = valuesOf(configMap('a', { b: '2', a: '1', B: '0' }));
    expect(values && hashOf(values)).toBe(hash('012'));
    const decoded = valuesOf(secret('s', RIGHT, 'plain'));
    expect(decoded && hashOf(decoded)).toBe(hash('plain'));
  });
});

describe('a plan', () => {
  const source = configMap('a', { x: MANIFEST });

  it.each([
    { strategy: 'ApplyOnce', records: [], applies: true, why: 'it was never applied' },
    { strategy: 'ApplyOnce', records: [done(source, MANIFEST)], applies: false, why: 'it was applied' },
    { strategy: 'ApplyOnce', records: [done(source, 'other')], applies: false, why: 'later changes have no effect' },
    { strategy: 'ApplyOnce', records: [done(source, MANIFEST, false)], applies: true, why: 'it could not be applied' },
    { strategy: 'Reconcile', records: [done(source, MANIFEST)], applies: false, why: 'nothing has changed' },
    { strategy: 'Reconcile', records: [done(source, 'other')], applies: true, why: 'it has changed' },
    { strategy: 'Reconcile', records: [done(source, MANIFEST, false)], applies: true, why: 'it could not be applied' },
  ] as const)('$strategy, applies: $applies, because $why', ({ strategy, records, applies }) => {
    const { work, faults } = planSet(set(strategy), [source], records);
    expect(faults).toEqual([]);
    expect(work).toEqual(
      applies
        ? [
            {
              ref: source.ref,
              hash: hash(MANIFEST),
              objects: [expect.objectContaining({ kind: 'Namespace' })],
              warnings: [],
            },
          ]
        : [],
    );
  });

  it('applies nothing from a set with a Secret of another type', () => {
    const { work, faults } = planSet(set('ApplyOnce'), [source, secret('s', 'Opaque', MANIFEST)], []);
    expect(work).toEqual([]);
    expect(faults).toMatchObject([{ reason: 'WrongSecretType', message: expect.stringContaining('Secret s') }]);
    expect(planSet(set('ApplyOnce'), [secret('s', RIGHT, MANIFEST)], []).work).toHaveLength(1);
  });

  it('skips and reports resources that do not exist, and applies the rest', () => {
    const missing: Source = { ref: { kind: 'ConfigMap', name: 'later' }, object: undefined };
    const { work, faults } = planSet(set('ApplyOnce'), [missing, source], []);
    expect(work).toHaveLength(1);
    expect(faults).toEqual([{ reason: 'RetrievingResourceFailed', message: 'ConfigMap later does not exist' }]);
  });

  it('reports contents that are not manifests, and missing contents', () => {
    expect(planSet(set('ApplyOnce'), [configMap('a', { x: 'kind: A' }), configMap('b')], []).work).toEqual([
      { ref: { kind: 'ConfigMap', name: 'a' }, fault: 'object 1 in x has no apiVersion' },
      { ref: { kind: 'ConfigMap', name: 'b' }, fault: 'it has no data' },
    ]);
  });
});

describe('a set', () => {
  const [first, second] = [configMap('a', { x: MANIFEST }), configMap('b', { x: MANIFEST })];
  const applied = [done(first, MANIFEST), done(second, MANIFEST)];

  it.each<[string, boolean, Source[], ResourceRecord[]]>([
    ['is complete if everything that it names was applied', true, [first, second], applied],
    ['is not complete if a part was never applied', false, [first, second], applied.slice(0, 1)],
    [
      'is not complete if a part could not be applied',
      false,
      [first, second],
      [done(first, MANIFEST), done(second, MANIFEST, false)],
    ],
    [
      'is not complete if a part has changed since',
      false,
      [first, second],
      [done(first, MANIFEST), done(second, 'before')],
    ],
    ['is not complete if a part does not exist', false, [first, { ...second, object: undefined }], applied],
    ['is not complete if a Secret has the wrong type', false, [secret('a', 'Opaque', MANIFEST)], applied],
  ])('%s', (_, is, sources, records) => {
    expect(isComplete(set('Reconcile'), sources, records)).toBe(is);
  });
});
