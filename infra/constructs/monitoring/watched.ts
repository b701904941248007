import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { MetricName } from '../../../shared/metrics.ts';
import { BY_VERSION, DUE } from '../../../shared/store/table.ts';
import { STEPS } from '../../../shared/work/steps.ts';
import { CORE_FUNCTIONS, type CoreFunction, type OfFunctions } from '../../bundle/entries.ts';
import { METRIC_NAMESPACE } from '../environment.ts';

/** The sources of the metrics for alarms and the dashboard. */
export interface Watched {
  stackName: string;
  sweepMinutes: number;
  /** The number of functions that share a sweep. */
  sweepShards: number;
  functions: OfFunctions<LambdaFunction>;
  workflows: readonly StateMachine[];
  api: RestApi;
  table: ITable;
  deadLetters: IQueue;
  /** Whether the table is exported regularly. */
  isExported: boolean;
}

const FIVE_MINUTES = Duration.minutes(5);

/** The sum of one metric of several resources, as one line. The label makes the ids unique in a graph. */
export const sumOf = (label: string, metrics: readonly IMetric[]): IMetric => {
  const prefix = label.charAt(0).toLowerCase() + label.slice(1);
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${prefix}${index}`, metric]));
  const expression = `SUM([${Object.keys(usingMetrics).join(', ')}])`;
  return new MathExpression({ label, period: FIVE_MINUTES, usingMetrics, expression });
};

/**
 * Functions for which users or workflows wait. An alarm can use ten metrics, and these are ten. Those of pools and of
 * hosts are excluded, because few installations use them; their failures appear as an event on the object, and as a
 * failed execution.
 */
const WAITED_FOR: readonly CoreFunction[] = [
  ...CORE_FUNCTIONS.filter((name) => name in STEPS && !name.startsWith('pool-')),
  'api',
  'authorizer',
];

/**
 * Lambda counts each token that the authorizer refuses as an error, because only a thrown error becomes 401: any caller
 * could keep an alarm firing. Its other errors lead to answers with 500 of the API, for which there is another alarm.
 */
const isCounted = (name: CoreFunction, metricName: string): boolean => name !== 'authorizer' || metricName !== 'Errors';

/** One of Lambda's own metrics for the functions with waiting callers. */
export const ofFunctions = ({ functions }: Watched, metricName: string): IMetric =>
  sumOf(
    metricName,
    WAITED_FOR.filter((name) => isCounted(name, metricName)).map((name) =>
      functions[name].metric(metricName, { statistic: Stats.SUM, period: FIVE_MINUTES }),
    ),
  );

/**
 * An alarm is billed for each of its metrics, so a few functions represent all: those that share the account's
 * concurrency are throttled together, the ones that run most first. The others have their own limits.
 */
const THROTTLED: readonly CoreFunction[] = ['cluster-objects', 'machine-node', 'api', 'authorizer'];

export const throttlesOf = ({ functions }: Watched): IMetric =>
  sumOf(
    'Throttles',
    THROTTLED.map((name) => functions[name].metricThrottles({ statistic: Stats.SUM, period: FIVE_MINUTES })),
  );

/** One of Step Functions' own metrics for the workflows. */
export const ofWorkflows = ({ workflows }: Watched, metricName: string): IMetric =>
  sumOf(
    metricName,
    workflows.map((each) => each.metric(metricName, { statistic: Stats.SUM, period: FIVE_MINUTES })),
  );

/** One of DynamoDB's own metrics, for the table or for one of its global indexes, which are measured separately. */
export const ofTable = ({ table }: Watched, metricName: string, index?: string): Metric => {
  const common = { statistic: Stats.SUM, period: FIVE_MINUTES };
  if (index === undefined) return table.metric(metricName, common);
  const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName: index };
  return table.metric(metricName, { ...common, dimensionsMap, label: `${metricName} ${index}` });
};

/**
 * Throttled reads and writes of the table and of the indexes that reach their limits first: all objects of a kind are
 * in one partition of `byVersion`, and each request for a pass writes to `due`, which only the sweep reads. If an index
 * throttles a write, the complete write fails, and is counted for the index.
 */
export const throttlesOfTable = (watched: Watched): Metric[] => [
  ofTable(watched, 'ReadThrottleEvents'),
  ofTable(watched, 'WriteThrottleEvents'),
  ofTable(watched, 'ReadThrottleEvents', BY_VERSION.name),
  ofTable(watched, 'WriteThrottleEvents', BY_VERSION.name),
  ofTable(watched, 'WriteThrottleEvents', DUE.name),
];

/** One of API Gateway's own metrics. Its latency is useless, because a watch counts with its full duration. */
export const ofApi = ({ api }: Watched, metricName: string): Metric =>
  api.metric(metricName, { statistic: Stats.SUM, period: FIVE_MINUTES });

/** The functions' own metrics; `dimensions` are added to that of the stack. */
export const measured = (
  { stackName }: Watched,
  metricName: MetricName,
  options: { statistic: string; period?: Duration; dimensions?: Readonly<Record<string, string>> },
): Metric =>
  new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service: stackName, ...options.dimensions },
    statistic: options.statistic,
    period: options.period ?? FIVE_MINUTES,
  });
