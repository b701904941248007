import { describe, expect, it } from 'vitest';
import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from '../../kinds/index.ts';
import { faultsOf, newBinding, recordFor, recordsOf, withFaults, withRecords } from './binding.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const binding = newBinding({ metadata: { name: 'red', namespace: 'default' } } as Cluster);

const setOf = (...names: string[]): ClusterResourceSet => ({
  apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
  kind: 'ClusterResourceSet',
  metadata: { name: 'cni', namespace: 'default', uid: 'u' },
  spec: {
    clusterSelector: { matchLabels: { cni: 'x' } },
    resources: names.map((name) => ({ kind: 'ConfigMap' as const, name })),
  },
});

describe('the records of a set', () => {
  const applied = (name: string) =>
    recordFor({ kind: 'ConfigMap', name }, { applied: true, hash: undefined, now: NOW });

  it('lose the first record that the set no longer names if there are more than the schema allows', () => {
    let at: ClusterResourceSetBinding = binding;
    for (let index = 0; index < 105; index += 1) {
      const name = `cni-${index}`;
      at = withRecords(at, setOf('kept', name), index === 0 ? [applied('kept'), applied(name)] : [applied(name)]);
    }
    const names = recordsOf(at, 'cni').map(({ name }) => name);
    expect(names).toHaveLength(100);
    expect([names[0], names[1], names.at(-1)]).toEqual(['kept', 'cni-6', 'cni-104']);
  });
});

describe('the faults of a binding', () => {
  it.each([
    'null',
    '5',
    '"x"',
    '[1]',
    '{',
    '{"cni":null}',
    '{"cni":{"reason":"ApplyFailed"}}',
    '{"cni":{"message":""}}',
  ])('are empty if another client wrote %s', (text) => {
    const annotated = {
      ...binding,
      metadata: { ...binding.metadata, annotations: { 'windlass.dev/not-applied': text } },
    };
    expect(faultsOf(annotated)).toEqual({});
    const fault = { reason: 'ApplyFailed', message: 'why' } as const;
    expect(faultsOf(withFaults(annotated, { ...faultsOf(annotated), ccm: fault }))).toEqual({ ccm: fault });
  });
});
