import { describe, expect, it } from 'vitest';
import { reportedBy, validateReportChanges } from './report-changes.ts';

const clusterWith = (value: string | undefined) => ({
  metadata: {
    name: 'red',
    ...(value === undefined ? {} : { annotations: { 'windlass.dev/report-changes': value } }),
  },
});

describe('the changes that the API servers of a cluster report', () => {
  it.each([
    [undefined, []],
    ['Services', ['Services']],
    ['Nodes', ['Nodes']],
    ['Nodes, Services', ['Services', 'Nodes']],
  ])('are read from the annotation %j', (value, reported) => {
    expect(reportedBy(clusterWith(value))).toEqual(reported);
    expect(validateReportChanges(clusterWith(value))).toEqual([]);
  });

  it.each(['', 'Pods', 'services', 'Services,', 'Nodes,Nodes', 'true'])(
    'are refused for the annotation %j',
    (value) => {
      expect(validateReportChanges(clusterWith(value))).toMatchObject([
        {
          field: 'metadata.annotations[windlass.dev/report-changes]',
          detail: 'must be Services, Nodes, or both with a comma between them',
        },
      ]);
    },
  );
});
