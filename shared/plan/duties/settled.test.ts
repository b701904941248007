import { expect, it } from 'vitest';
import type { Cluster } from '../../kinds/index.ts';
import { isServedOtherwise } from './condition.ts';
import type { Retry } from './retry.ts';
import { isDutyNews, memoryOf, withSettledDuty } from './settled.ts';

const ENTRY = 'windlass.dev/services';
const infrastructure = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'red' } };

it.each<{ retries: Retry[]; inBetween: boolean; hourly: boolean }>([
  { retries: [], inBetween: false, hourly: false },
  { retries: ['never'], inBetween: false, hourly: false },
  { retries: ['never', 'hourly'], inBetween: false, hourly: true },
  { retries: ['hourly', 'soon'], inBetween: true, hourly: true },
])(
  'with the pending retries $retries, a duty needs a pass between the hourly checks: $inBetween, every hour: $hourly',
  (row) => {
    const remembering = withSettledDuty(infrastructure, ENTRY, memoryOf('digest', row.retries)) ?? infrastructure;

    expect(isDutyNews(remembering, ENTRY, 'digest', false)).toBe(row.inBetween);
    expect(isDutyNews(remembering, ENTRY, 'digest', true)).toBe(row.hourly);
    expect(isDutyNews(remembering, ENTRY, 'another', false)).toBe(true);
  },
);

it.each([
  { reason: 'NotOffered', inBetween: true, hourly: true },
  { reason: 'OtherController', inBetween: true, hourly: false },
  { reason: 'CloudFailed', inBetween: false, hourly: false },
])('a cluster with the reason $reason is skipped between the hourly checks: $inBetween, every hour: $hourly', (row) => {
  const conditions = [{ type: 'Served', status: 'False', reason: row.reason }];
  const cluster = { status: { conditions } } as Cluster;

  expect(isServedOtherwise(cluster, 'Served', false)).toBe(row.inBetween);
  expect(isServedOtherwise(cluster, 'Served', true)).toBe(row.hourly);
});
