import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { StateTransitionMetric } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { constructIdOf } from '../workflow/step.ts';
import {
  measured,
  ofApi,
  ofFunctions,
  ofWorkflows,
  sumOf,
  throttlesOf,
  throttlesOfTable,
  type Watched,
} from './watched.ts';

interface Watch {
  /** A description of the problem for the operator on call. */
  says: string;
  metric: IMetric;
  /** The alarm fires at this value or above. */
  from: number;
  /** How many of the last periods must breach, and how many periods are evaluated. */
  periods?: [of: number, last: number];
  /** The alarm fires below `from`. */
  falls?: boolean;
  /** The alarm fires if there was no value in all its periods. */
  silent?: boolean;
}

const atOnce: [number, number] = [1, 1];

const ofTheSweep = (watched: Watched): Record<string, Watch> => {
  const period = Duration.minutes(watched.sweepMinutes);
  const sweep = watched.functions.drift;
  return {
    'sweep-missing': {
      says: 'The sweep has not run: lost work and changes in the account are not detected',
      // An EventBridge rule has at most five targets: one of several rules may be disabled.
      metric: sweep.metricInvocations({ period, statistic: Stats.SUM }),
      from: watched.sweepShards,
      periods: [3, 3],
      falls: true,
      silent: true,
    },
    'sweep-failed': {
      says: 'The sweep fails repeatedly: a part of the account, or the table, cannot be read',
      metric: sweep.metricErrors({ period, statistic: Stats.SUM }),
      from: 1,
      periods: [3, 3],
    },
    'sweep-suspended': {
      says: 'Too many instances look lost or too many nodes are not ready at the same time, or a namespace takes too much memory, so nothing is replaced or repaired there',
      metric: measured(watched, 'SweepSuspended', { period, statistic: Stats.MAXIMUM }),
      from: 1,
      periods: atOnce,
    },
    'passes-missing': {
      says: 'Passes over clusters are requested repeatedly, but none starts',
      metric: measured(watched, 'ClustersStalled', { period, statistic: Stats.MAXIMUM }),
      from: 1,
      periods: atOnce,
    },
    'clusters-passed-over': {
      says: 'Clusters could not be handled by the sweep, or their account can no longer be accessed',
      metric: measured(watched, 'ClustersPassedOver', { period, statistic: Stats.MAXIMUM }),
      from: 1,
      periods: [3, 3],
    },
    'machines-failed': {
      says: 'Machines have failed, and nothing replaces them',
      metric: measured(watched, 'Machines', { period, statistic: Stats.MAXIMUM, dimensions: { phase: 'Failed' } }),
      from: 1,
      periods: [3, 3],
    },
    'certificates-expiring': {
      says: 'Certificates of a control plane machine expire within 30 days',
      metric: measured(watched, 'CertificateDays', { period, statistic: Stats.MINIMUM }),
      from: 30,
      periods: atOnce,
      falls: true,
    },
  };
};

const ofExports = (watched: Watched): Record<string, Watch> => ({
  'export-failed': {
    says: 'The last export of the table failed, or the exports may not be listed',
    metric: measured(watched, 'ExportsFailed', { period: Duration.hours(1), statistic: Stats.MAXIMUM }),
    from: 1,
    // There is one value per hour; a sweep that starts late reports it in the next hour.
    periods: [1, 2],
  },
});

const ofPlatform = (watched: Watched): Record<string, Watch> => ({
  'function-errors': {
    says: 'Many function calls fail: AWS refuses or throttles their requests, or the functions are broken',
    metric: ofFunctions(watched, 'Errors'),
    from: 25,
    periods: [3, 3],
  },
  'function-throttles': {
    says: 'Lambda refuses invocations: the concurrency of the account is used up',
    metric: throttlesOf(watched),
    from: 1,
    periods: [2, 3],
  },
  'executions-failed': {
    says: 'An execution of a workflow failed, so not even its failure could be reported on the objects',
    metric: ofWorkflows(watched, 'ExecutionsFailed'),
    from: 1,
    periods: atOnce,
  },
  'executions-timed-out': {
    says: 'An execution of a workflow ran into its time limit',
    metric: ofWorkflows(watched, 'ExecutionsTimedOut'),
    from: 1,
    periods: atOnce,
  },
  'executions-throttled': {
    says: 'Step Functions slows executions down: the quota of state transitions is used up',
    // The quota is regional, and so is the metric: a metric for each workflow would cost more. Refused starts are
    // measured elsewhere: the sweep repeats them, and `passes-missing` fires if no pass begins.
    metric: StateTransitionMetric.metricThrottledEvents({ period: Duration.minutes(5) }),
    from: 1,
    periods: [3, 3],
  },
  'events-undelivered': {
    says: 'Events could not be handled, whose changes the sweep finds later, or an export of the table was not started',
    metric: watched.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    from: 1,
    periods: atOnce,
  },
  'table-throttles': {
    says: 'DynamoDB refuses reads or writes of objects',
    metric: sumOf('throttles', throttlesOfTable(watched)),
    from: 1,
    periods: [3, 3],
  },
  'api-errors': {
    says: 'The Kubernetes API answers with server errors (5xx)',
    metric: ofApi(watched, '5XXError'),
    from: 5,
    periods: [2, 3],
  },
  'api-slow': {
    says: 'One answer of the Kubernetes API in twenty takes two seconds or longer to begin',
    metric: measured(watched, 'RequestLatency', { statistic: 'p95' }),
    from: 2000,
    periods: [3, 3],
  },
});

const RUNBOOK = 'docs/runbooks.md';

const propsOf = (name: string, { says, metric, from, periods = [3, 3], falls, silent }: Watch): AlarmProps => ({
  alarmDescription: `${says}. What to do: ${RUNBOOK}#${name}`,
  metric,
  threshold: from,
  comparisonOperator: falls
    ? ComparisonOperator.LESS_THAN_THRESHOLD
    : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  datapointsToAlarm: periods[0],
  evaluationPeriods: periods[1],
  // Without a value, an alarm is in the state INSUFFICIENT_DATA, and starts in it. Unlike a breach, this sends no
  // notification in a new stack that has not been swept yet.
  treatMissingData: silent ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
});

/**
 * Alarms that notify `topic` when they fire and when they end. Each has a section with its name in docs/runbooks.md.
 */
export const alarms = (parent: Construct, watched: Watched, topic: ITopic): Alarm[] => {
  const scope = new Construct(parent, 'Alarms');
  // Equivalent to the CDK's SnsAction, whose module would include those of EC2, Auto Scaling and SSM.
  const action: IAlarmAction = { bind: () => ({ alarmActionArn: topic.topicArn }) };
  const watches = { ...ofPlatform(watched), ...ofTheSweep(watched), ...(watched.isExported ? ofExports(watched) : {}) };
  return Object.entries(watches).map(([name, watch]) => {
    const alarm = new Alarm(scope, constructIdOf(name), {
      alarmName: `${watched.stackName}-${name}`,
      ...propsOf(name, watch),
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    if (watch.silent) alarm.addInsufficientDataAction(action);
    return alarm;
  });
};
