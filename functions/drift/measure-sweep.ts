import type { MetricName, Metrics } from '../../shared/metrics.ts';
import { resultOf, type Sweep, type SweepResult } from './sweep.ts';

/**
 * The numbers of a sweep for alarms and the dashboard. CloudWatch bills a metric for each hour in which it has a value,
 * so zeros are not reported.
 */
const measureSweep = (metrics: Metrics, result: SweepResult): void => {
  const { due, stalled, found, isSuspicious, troubled, passedOver, hasFailedExport, fleetMetrics } = result;
  const happened = {
    ClustersDue: due,
    ClustersStalled: stalled,
    DriftFindings: found,
    SweepSuspended: isSuspicious || passedOver > 0 ? 1 : 0,
    ClustersPassedOver: troubled,
    ExportsFailed: hasFailedExport ? 1 : 0,
  };
  for (const [name, count] of Object.entries(happened)) if (count > 0) metrics.add(name as MetricName, count);
  if (fleetMetrics.certificateDays !== undefined) metrics.add('CertificateDays', fleetMetrics.certificateDays);
  for (const [phase, count] of Object.entries(fleetMetrics.phases)) metrics.add('Machines', count, { phase });
};

/**
 * Reports the numbers of a sweep, even of one with faults: alarms treat missing numbers as good. Then returns its
 * result, or throws the first fault.
 */
export const concludeSweep = (metrics: Metrics, sweep: Sweep): SweepResult => {
  measureSweep(metrics, sweep.result);
  return resultOf(sweep);
};
