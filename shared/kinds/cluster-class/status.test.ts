import { describe, expect, it } from 'vitest';
import { withClassStatus } from './status.ts';
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
      ['Paused', LATER],
      ['RefVersionsUpToDate', CREATED],
      ['VariablesReady', CREATED],
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
});
