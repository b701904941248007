import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  PeriodOverride,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { ofApi, ofFunctions, ofTable, ofWorkflows, type Watched } from './watched.ts';

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6 });

/** One page that says whether Windlass works: the alarms first, then what it does. */
export const dashboard = (scope: Construct, watched: Watched, alarms: Alarm[]): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: watched.stackName,
    periodOverride: PeriodOverride.INHERIT,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 })],
      [
        graph(
          'Requests to the API',
          ['Count', '4XXError', '5XXError'].map((name) => ofApi(watched, name)),
        ),
        graph(
          'Executions',
          ['ExecutionsStarted', 'ExecutionsSucceeded', 'ExecutionsFailed'].map((name) => ofWorkflows(watched, name)),
        ),
        graph(
          'Functions',
          ['Invocations', 'Errors', 'Throttles'].map((name) => ofFunctions(watched, name)),
        ),
      ],
      [
        graph(
          'Table',
          ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits', 'ReadThrottleEvents', 'WriteThrottleEvents'].map(
            (name) => ofTable(watched, name),
          ),
        ),
        graph('Undelivered events', [watched.deadLetters.metricApproximateNumberOfMessagesVisible()]),
      ],
    ],
  });
