/** The fixed monthly usage of a template: alarms and keys. */
import type { Usage } from '../../../../shared/providers/aws/plan/cost/usage.ts';

interface Resource {
  Type: string;
  Properties?: Readonly<Record<string, unknown>>;
}

/** An alarm is billed for each of its metrics; an expression over them is not a metric. */
const alarmMetrics = ({ Properties = {} }: Resource): number =>
  Array.isArray(Properties.Metrics)
    ? Properties.Metrics.filter((metric: { MetricStat?: unknown }) => metric.MetricStat !== undefined).length
    : 1;

/**
 * For a month. The dashboard is left out, because an account has three for free. Rules, queues, topics, roles and log
 * groups are free or billed by use.
 */
export const fixedUsage = (resources: Readonly<Record<string, Resource>>): Usage => {
  const ofType = (type: string) => Object.values(resources).filter(({ Type }) => Type === type);
  return {
    alarmMetricMonths: ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + alarmMetrics(alarm), 0),
    keyMonths: ofType('AWS::KMS::Key').length,
  };
};
