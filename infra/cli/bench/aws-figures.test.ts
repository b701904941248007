import { describe, expect, it } from 'vitest';
import { type AwsFigures, awsCalls, costs, summarizeAws, tableCalls, tableOfAws } from './aws-figures.ts';

const phase = (calls: Record<string, number>, transitions: number) => ({ calls, transitions });
const figures: AwsFigures = {
  clusters: [
    {
      controlPlane: 3,
      workers: 10,
      create: phase({ 'ec2:RunInstances': 13, 'kms:Decrypt': 148, 'dynamodb:GetItem': 1000 }, 400),
      delete: phase({ 'ec2:TerminateInstances': 13 }, 100),
    },
  ],
  sweeps: [{ clusters: 100, machines: 300, calls: { 'ec2:DescribeInstances': 1 }, seconds: 2 }],
};

describe('the number of calls to AWS', () => {
  it('excludes calls to the table, which are counted separately', () => {
    const { calls } = figures.clusters[0]?.create ?? phase({}, 0);
    expect([awsCalls(calls), tableCalls(calls)]).toEqual([161, 1000]);
  });

  it('is compared with the target, which one call too many misses', () => {
    expect(summarizeAws(figures).aims).toEqual([
      { what: 'calls to create 3+10', atMost: 160, calls: 161, isMet: false },
    ]);
    expect(tableOfAws(figures)).toContain('create 3+10: 161 calls, 1000 to the table, 400 state transitions');
  });

  it('determines the cost of transitions, requests to the table, and recorded calls', () => {
    const { clusters, sweeps } = costs(figures);
    expect(clusters[0]?.create).toBeCloseTo(400 * 0.000025 + 1000 * 0.000000625 + 161 * 0.000004, 9);
    expect(sweeps[0]?.monthlyPerCluster).toBeCloseTo((8640 * 0.000004) / 100, 9);
  });
});
