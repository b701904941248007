import type { Metrics } from '../../shared/metrics.ts';
import type { SweepResult } from './sweep.ts';

/** What a sweep has seen, in numbers for alarms and the dashboard. */
export const measureSweep = (metrics: Metrics, result: SweepResult): void => {
  const { due, found, isSuspicious, troubled, census } = result;
  metrics.add('ClustersDue', due);
  metrics.add('DriftFindings', found);
  metrics.add('SweepSuspended', isSuspicious ? 1 : 0);
  metrics.add('ClustersPassedOver', troubled);
  if (census.certificateDays !== undefined) metrics.add('CertificateDays', census.certificateDays);
  for (const [phase, count] of Object.entries(census.phases)) metrics.add('Machines', count, { phase });
};
