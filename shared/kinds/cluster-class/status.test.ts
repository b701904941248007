import { describe, expect, it } from 'vitest';
import { KINDS } from '../index.ts';
import type { ClusterClass } from './schema.ts';
import { faultOfPausedClass, OWN_TEMPLATES, withClassStatus } from './status.ts';
import { base, classWith } from './test-class.ts';

const CREATED = '2026-01-01T00:00:00Z';
const LATER = '2026-01-02T00:00:00Z';

const stored = (spec: Parameters<typeof classWith>[0], annotations: Record<string, string> = {}) => {
  const { metadata, ...rest } = classWith(spec);
  return { ...rest, metadata: { ...metadata, annotations, generation: 1, creationTimestamp: CREATED } };
};

const outdated = {
  infrastructure: {
    templateRef: { ...base.infrastructure.templateRef, apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1' },
  },
};

describe('the status of a ClusterClass', () => {
  it('gives a condition the time at which its status changed', () => {
    const first = withClassStatus(stored({}), undefined, new Date(CREATED));
    const paused = withClassStatus(
      { ...stored({}, { 'cluster.x-k8s.io/paused': '' }), status: first.status },
      first,
      new Date(LATER),
    );
    const times = paused.status?.conditions?.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]);
    expect(times).toEqual([
      ['RefVersionsUpToDate', CREATED],
      ['VariablesReady', CREATED],
      ['Paused', LATER],
    ]);
  });

  it('has the conditions of v1beta1', () => {
    const first = withClassStatus(stored({}), undefined, new Date(CREATED));
    expect(first.status?.deprecated?.v1beta1?.conditions).toEqual([
      { type: 'RefVersionsUpToDate', status: 'True', lastTransitionTime: CREATED },
      { type: 'VariablesReconciled', status: 'True', lastTransitionTime: CREATED },
    ]);
    const next = withClassStatus(stored(outdated), first, new Date(LATER));
    const message =
      'The following templateRefs are not using the latest apiVersion:\n* AWSClusterTemplate class: current: v1beta1, latest: v1beta2';
    expect(next.status?.deprecated?.v1beta1?.conditions).toEqual([
      {
        type: 'RefVersionsUpToDate',
        status: 'False',
        severity: 'Warning',
        reason: 'OutdatedRefVersions',
        message,
        lastTransitionTime: LATER,
      },
      { type: 'VariablesReconciled', status: 'True', lastTransitionTime: CREATED },
    ]);
    expect(next.status?.observedGeneration).toBe(2);
  });

  it('does not report templates of external providers as outdated', () => {
    const templateRef = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind: 'RackClusterTemplate',
      name: 'x',
    };
    const { status } = withClassStatus(stored({ infrastructure: { templateRef } }), undefined, new Date(CREATED));
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'RefVersionsUpToDate', status: 'True' }));
    const own = KINDS.filter(({ kind, version }) => kind.endsWith('Template') && version === 'v1beta2');
    expect(own.map(({ group, kind }) => `${group}/${kind}`).sort()).toEqual([...OWN_TEMPLATES].sort());
  });

  it('stays the same while the class is paused, and is updated when the pause ends', () => {
    const first = withClassStatus(stored({}), undefined, new Date(CREATED));
    const pausedWith = (spec: Parameters<typeof classWith>[0], old: ClusterClass) =>
      withClassStatus({ ...stored(spec, { 'cluster.x-k8s.io/paused': '' }), status: old.status }, old, new Date(LATER));
    const variables = [{ name: 'late', required: false, schema: { openAPIV3Schema: { type: 'string' as const } } }];
    const paused = pausedWith({}, first);
    expect(faultOfPausedClass(paused)).toBeUndefined();

    const changed = pausedWith({ variables }, paused);
    const stale = { ...changed, metadata: { ...changed.metadata, generation: 2 } };

    expect(changed.status?.variables).toEqual(first.status?.variables);
    expect(changed.status?.observedGeneration).toBe(1);
    expect(faultOfPausedClass(stale)).toBe(
      'ClusterClass is not successfully reconciled: ClusterClass.status.observedGeneration must be 2, but is 1',
    );
    const { metadata, ...rest } = stale;
    const resumed = withClassStatus({ ...rest, metadata: { ...metadata, annotations: {} } }, stale, new Date(LATER));
    expect(resumed.status?.variables?.map(({ name }) => name)).toEqual(['late']);
    expect(resumed.status?.observedGeneration).toBe(2);
    expect(faultOfPausedClass(resumed)).toBeUndefined();
  });

  it('reports only the pause if the class was paused from the beginning', () => {
    const paused = withClassStatus(stored({}, { 'cluster.x-k8s.io/paused': '' }), undefined, new Date(CREATED));
    expect(paused.status).toMatchObject({ conditions: [{ type: 'Paused', status: 'True' }] });
    expect(paused.status?.observedGeneration).toBeUndefined();
    expect(faultOfPausedClass(paused)).toBe(
      'ClusterClass is not successfully reconciled: status of VariablesReady condition on ClusterClass must be "True"',
    );
  });

  describe('with variables that extensions discover', () => {
    const external = { generatePatchesExtension: 'a.b', discoverVariablesExtension: 'c.b' };
    const discovering = stored({ patches: [{ name: 'one', external }] });
    const variable = (name: string, openAPIV3Schema: object) => ({
      name,
      definitionsConflict: false,
      definitions: [{ from: 'one', required: false, schema: { openAPIV3Schema } }],
    });

    it('reports no variables before their discovery', () => {
      const { status } = withClassStatus(discovering, undefined, new Date(CREATED));
      expect(status?.conditions?.map(({ type }) => type)).toEqual(['RefVersionsUpToDate', 'Paused']);
      expect(status).not.toHaveProperty('observedGeneration');
    });

    it('keeps the discovered variables, except for invalid definitions', () => {
      const ready = {
        type: 'VariablesReady',
        status: 'True',
        reason: 'VariablesReady',
        lastTransitionTime: CREATED,
      } as const;
      const found = {
        ...discovering,
        status: {
          observedGeneration: 1,
          conditions: [{ ...ready, message: '' }],
          variables: [variable('good', { type: 'string' }), variable('bad', { type: 'object', properties: { a: 5 } })],
        },
      };
      const { status } = withClassStatus(found, discovering, new Date(LATER));
      expect(status?.variables?.map(({ name }) => name)).toEqual(['good']);
      expect(status?.conditions).toContainEqual({
        ...ready,
        message: '',
        lastTransitionTime: LATER,
        observedGeneration: 1,
      });
      const changed = { ...found, spec: { ...found.spec, workers: {} } };
      expect(withClassStatus(changed, found, new Date(LATER)).status?.observedGeneration).toBe(1);
    });
  });
});
