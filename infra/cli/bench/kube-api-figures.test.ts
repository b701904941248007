import { describe, expect, it } from 'vitest';
import { OPERATIONS, type Samples, summarize, tableOfKubeApi } from './kube-api-figures.ts';

const samples = (times: number[]): Samples =>
  Object.fromEntries(OPERATIONS.map((operation) => [operation, { 1: times }])) as unknown as Samples;

const figures = {
  ours: samples([30, 2, 3]),
  theirs: samples([2, 1, 90]),
  bundle: { bytes: 512 * 1024, importMilliseconds: 99.6 },
};

describe('the results of the API benchmark', () => {
  it('contain the medians of both servers, and their ratio', () => {
    expect(summarize(figures).operations[0]).toEqual({
      operation: 'get',
      clients: 1,
      oursMilliseconds: 3,
      kubeApiserverMilliseconds: 2,
      ratio: 1.5,
    });
  });

  it('are shown with their limits', () => {
    const table = tableOfKubeApi(figures);
    expect(table).toMatch(/^create a machine +1 +3\.0 ms +2\.0 ms +1\.5x {2}at most 2x$/m);
    expect(table).toMatch(/^bundle of the api function +512 KB, at most 1024 KB$/m);
    expect(table).toMatch(/^its cold import, fastest +100 ms, at most 250 ms$/m);
  });
});
