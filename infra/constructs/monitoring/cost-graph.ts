/**
 * Shows the cost of the installation on the dashboard: AWS's own metrics, which are free, multiplied by list prices.
 */
import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { LIST_PRICES } from '../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { OBJECT_TABLE } from '../../../shared/store/table.ts';
import { CORE_FUNCTIONS, FUNCTION_NAMES } from '../../bundle/entries.ts';
import type { Watched } from './watched.ts';

const HOUR = Duration.hours(1);
const hourly = { statistic: Stats.SUM, period: HOUR };

/** The prices of us-east-1 are used in all regions: the graph shows the trend, and the bill the actual cost. */
const PRICES = LIST_PRICES.regions['us-east-1']?.services ?? {};

type Term = readonly [metric: IMetric, usd: number | undefined];

/** A price without an exponent: CloudWatch documents none, and the CDK would read its `e` as the name of a metric. */
const decimal = (price: number): string => price.toFixed(15);

/** The sum of metrics, each multiplied by a price. */
const usd = (label: string, terms: readonly Term[]): MathExpression => {
  const prefix = label.toLowerCase().replaceAll(/[^a-z]/g, '');
  const usingMetrics = Object.fromEntries(terms.map(([metric], index) => [`${prefix}${index}`, metric]));
  // An hour without calls has no value.
  const products = terms.map(([, price = 0], index) => `FILL(${prefix}${index}, 0) * ${decimal(price)}`);
  return new MathExpression({ label, period: HOUR, usingMetrics, expression: products.join(' + ') });
};

const MEGABYTES = 1024;
const MILLISECONDS = 1000;

const ofLambda = ({ functions }: Watched): Term[] =>
  FUNCTION_NAMES.flatMap((name): Term[] => {
    const lambda = functions[name];
    if (lambda === undefined) return [];
    const { memorySize = 0 } = lambda.node.defaultChild as CfnFunction;
    const gigabytes = memorySize / MEGABYTES;
    return [
      [lambda.metricInvocations(hourly), PRICES.invocations],
      [lambda.metricDuration(hourly), ((PRICES.gigabyteSeconds ?? 0) * gigabytes) / MILLISECONDS],
    ];
  });

/** DynamoDB measures each global index separately from its table. */
const ofTable = ({ table }: Watched): Term[] => {
  const places = [{}, ...OBJECT_TABLE.globalIndexes.map(({ name }) => ({ GlobalSecondaryIndexName: name }))];
  return places.flatMap((more): Term[] => {
    const at = { namespace: 'AWS/DynamoDB', dimensionsMap: { TableName: table.tableName, ...more }, ...hourly };
    return [
      [new Metric({ ...at, metricName: 'ConsumedReadCapacityUnits' }), PRICES.readUnits],
      [new Metric({ ...at, metricName: 'ConsumedWriteCapacityUnits' }), PRICES.writeUnits],
    ];
  });
};

/**
 * Step Functions has no metric for billed transitions. Each task goes with this many transitions in total, as counted
 * by `npm run bench -- cost`.
 */
const TRANSITIONS_PER_TASK = 2;

const ofWorkflows = ({ functions }: Watched): Term[] =>
  CORE_FUNCTIONS.filter((name) => /^(cluster|machine|pool)-/.test(name)).map((name) => [
    functions[name].metricInvocations(hourly),
    (PRICES.transitions ?? 0) * TRANSITIONS_PER_TASK,
  ]);

/** The usage in USD per hour. Fixed monthly costs, such as alarms, are not included. */
export const costGraph = (watched: Watched): GraphWidget =>
  new GraphWidget({
    title: 'Cost in USD an hour, at list prices',
    left: [
      usd('Step Functions', ofWorkflows(watched)),
      usd('Lambda', ofLambda(watched)),
      usd('DynamoDB', ofTable(watched)),
      usd('API Gateway', [[watched.api.metricCount(hourly), PRICES.apiRequests]]),
    ],
    stacked: true,
    period: HOUR,
    width: 24,
    height: 6,
  });
