import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { RETRY_POLICIES } from '../../../shared/errors.ts';
import type { ConvergeMode } from '../../../shared/work/payloads.ts';
import { costGraph } from './cost-graph.ts';
import { measured, ofApi, ofFunctions, ofTable, ofWorkflows, throttlesOfTable, type Watched } from './watched.ts';

const PHASES = ['Pending', 'Provisioning', 'Provisioned', 'Running', 'Deleting', 'Failed'];
const MODES: readonly ConvergeMode[] = ['normal', 'delete', 'paused', 'busy', 'gone'];
const FAILURES = [...Object.keys(RETRY_POLICIES), 'QuotaExceeded', 'Refused', 'NotFound'];

const graph = (title: string, left: IMetric[]): GraphWidget => new GraphWidget({ title, left, width: 8, height: 6 });

/** A single page that shows whether Windlass works: the alarms first, and then its activity. */
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
        graph('Table', [
          ...['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map((name) => ofTable(watched, name)),
          ...throttlesOfTable(watched),
        ]),
        graph('Undelivered events', [watched.deadLetters.metricApproximateNumberOfMessagesVisible()]),
        graph('Sweeps', [
          measured(watched, 'ClustersDue', { statistic: Stats.MAXIMUM }),
          measured(watched, 'DriftFindings', { statistic: Stats.SUM }),
          measured(watched, 'CertificateDays', { statistic: Stats.MINIMUM }),
        ]),
      ],
      [
        graph(
          'Machines by phase',
          PHASES.map((phase) => measured(watched, 'Machines', { statistic: Stats.MAXIMUM, dimensions: { phase } })),
        ),
        graph(
          'Passes',
          MODES.map((mode) => measured(watched, 'Passes', { statistic: Stats.SUM, dimensions: { mode } })),
        ),
        graph(
          'Failed steps',
          FAILURES.map((error) => measured(watched, 'Failures', { statistic: Stats.SUM, dimensions: { error } })),
        ),
      ],
      [costGraph(watched)],
    ],
  });
