/** Converts the stack's template to one that ministack accepts. */

interface MetricStat {
  Metric: { MetricName: string; Namespace: string; Dimensions?: unknown };
  Period: number;
  Stat: string;
}

interface Resource {
  Type: string;
  Properties?: { Metrics?: { MetricStat?: MetricStat }[] } & Record<string, unknown>;
}

const withoutMetricMath = (resource: Resource): Resource => {
  const { Metrics, ...rest } = resource.Properties ?? {};
  const first = Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat;
  if (resource.Type !== 'AWS::CloudWatch::Alarm' || first === undefined) return resource;
  const { Metric, Period, Stat } = first;
  return { ...resource, Properties: { ...rest, ...Metric, Period, Statistic: Stat } };
};

/** Replaces the URIs of streaming integrations with those of integrations that do not stream. */
const withoutStreams = (template: string): string =>
  template
    .replaceAll('/2021-11-15/functions/', '/2015-03-31/functions/')
    .replaceAll('/response-streaming-invocations', '/invocations');

/** Reduces alarms to their first metric, and makes integrations not stream. Leaves other templates unchanged. */
export const forMinistack = (template: string): string => {
  const parsed = JSON.parse(template) as { Resources?: Record<string, Resource> };
  const Resources = Object.fromEntries(
    Object.entries(parsed.Resources ?? {}).map(([id, resource]) => [id, withoutMetricMath(resource)]),
  );
  return withoutStreams(JSON.stringify({ ...parsed, Resources }));
};
