/** The stack's template, as ministack accepts it. */

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

/** The URI of an integration that streams, and of one that does not. */
const withoutStreams = (template: string): string =>
  template
    .replaceAll('/2021-11-15/functions/', '/2015-03-31/functions/')
    .replaceAll('/response-streaming-invocations', '/invocations');

/** Alarms over the first of their metrics alone, integrations that do not stream. Other templates are unchanged. */
export const forMinistack = (template: string): string => {
  const parsed = JSON.parse(template) as { Resources?: Record<string, Resource> };
  const Resources = Object.fromEntries(
    Object.entries(parsed.Resources ?? {}).map(([id, resource]) => [id, withoutMetricMath(resource)]),
  );
  return withoutStreams(JSON.stringify({ ...parsed, Resources }));
};
