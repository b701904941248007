/**
 * Counts what a run on the laptop would be billed for on AWS. The engines report to it; it makes no calls and changes
 * nothing.
 */
import type { Clock } from '../../../shared/clock.ts';
import { HOURS_PER_MONTH } from '../../../shared/providers/aws/plan/cost/prices.ts';
import type { ServiceUnit } from '../../../shared/providers/aws/plan/cost/units.ts';
import type { Usage } from '../../../shared/providers/aws/plan/cost/usage.ts';
import type { EngineEvent } from '../engines/states/history.ts';
import type { Call } from '../engines/wire/call.ts';
import { billedMilliseconds, type Invoked, makeProcesses, START_MILLISECONDS } from './lambda-time.ts';
import {
  ACCESS_BYTES,
  INVOCATION_BYTES,
  isMetricsLine,
  LINE_BYTES,
  type LogLevel,
  metricHours,
  workflowLogBytes,
} from './logs.ts';
import { makeSecretHours } from './secret-hours.ts';

export interface Meter {
  /** What was used so far. */
  usage(): Usage;
  /** How many metrics have had a value: each costs in every hour in which it has one. */
  metrics(): number;
  count(unit: ServiceUnit, quantity: number): void;
  /** A function has ended. */
  invoked(functionName: string, megabytes: number, invoked: Invoked): void;
  /** A function has written to its log. */
  logged(text: string): void;
  /** An execution has begun. */
  started(): void;
  /** Something has happened in an execution. */
  happened(event: EngineEvent, executionArn: string, level: LogLevel): void;
  /** An authorized request to the Kubernetes API. */
  requested(): void;
  /** A rule has called a function. */
  delivered(): void;
  /** The account has answered a call. `code` is set if it refused. */
  called(call: Pick<Call, 'service' | 'operation' | 'functionName'>, code: string | undefined, input: object): void;
}

/** What Step Functions bills: states that are entered, and attempts after the first. */
const TRANSITIONS = new Set(['StateEntered', 'StateRetried']);

const MEGABYTES_PER_GIGABYTE = 1024;
const BYTES_PER_GIGABYTE = 1024 ** 3;
const HOUR = 1 / HOURS_PER_MONTH;

/**
 * DynamoDB opens a table with the key of the account (`aws/dynamodb`) for each caller, and keeps that open for five
 * minutes.
 */
const TABLE_KEY_MILLISECONDS = 5 * 60_000;

/** Called by functions, and billed by the table's own units or as transitions. */
const BILLED_OTHERWISE = new Set(['dynamodb', 'states', 'lambda']);

type Counts = Partial<Record<ServiceUnit, number>>;

const makeCounts = () => {
  const counts: Counts = {};
  return {
    read: (): Usage => ({ ...counts }),
    count: (unit: ServiceUnit, quantity: number): void => {
      counts[unit] = (counts[unit] ?? 0) + quantity;
    },
  };
};

/** Things that cost once for each period in which they are used: true the first time. */
const makeOnce = () => {
  const seen = new Set<string>();
  return (what: string): boolean => {
    if (seen.has(what)) return false;
    seen.add(what);
    return true;
  };
};

const makeLambda = (count: Meter['count']): Pick<Meter, 'invoked'> => {
  const processes = new Map<string, ReturnType<typeof makeProcesses>>();
  const processesOf = (name: string) => {
    const found = processes.get(name) ?? makeProcesses();
    processes.set(name, found);
    return found;
  };
  return {
    invoked: (name, megabytes, invoked) => {
      const milliseconds = billedMilliseconds(invoked, megabytes);
      const isCold = processesOf(name).take(invoked.begin, milliseconds);
      const billed = (milliseconds + (isCold ? START_MILLISECONDS : 0)) / 1000;
      count('invocations', 1);
      count('gigabyteSeconds', (billed * megabytes) / MEGABYTES_PER_GIGABYTE);
      count('logGigabytes', INVOCATION_BYTES / BYTES_PER_GIGABYTE);
    },
  };
};

const makeLogs = (count: Meter['count']): Pick<Meter, 'logged' | 'happened' | 'metrics'> => {
  const isNew = makeOnce();
  const metrics = new Set<string>();
  return {
    logged: (text) => {
      count('logGigabytes', (Buffer.byteLength(text) + LINE_BYTES) / BYTES_PER_GIGABYTE);
      if (!isMetricsLine(text)) return;
      for (const { metric, hour } of metricHours(text)) {
        metrics.add(metric);
        if (isNew(`${metric} ${hour}`)) count('metricMonths', HOUR);
      }
    },
    metrics: () => metrics.size,
    happened: (event, executionArn, level) => {
      if (TRANSITIONS.has(event.type)) count('transitions', 1);
      count('logGigabytes', workflowLogBytes(event, executionArn, level) / BYTES_PER_GIGABYTE);
    },
  };
};

export const createMeter = (clock: Clock): Meter => {
  const { read, count } = makeCounts();
  const secrets = makeSecretHours(clock);
  const isFirst = makeOnce();
  return {
    ...makeLambda(count),
    ...makeLogs(count),
    count,
    usage: () => ({ ...read(), secretMonths: secrets.hours() * HOUR }),
    started: () => {
      count('executions', 1);
      count('traces', 1);
    },
    requested: () => {
      count('apiRequests', 1);
      count('traces', 1);
      count('logGigabytes', (ACCESS_BYTES + LINE_BYTES) / BYTES_PER_GIGABYTE);
    },
    delivered: () => {
      count('events', 1);
      count('traces', 1);
    },
    called: ({ service, operation, functionName }, code, input) => {
      if (service === 'secretsmanager') {
        count('secretRequests', 1);
        if (code === undefined) secrets.called(operation, input);
        return;
      }
      if (functionName === undefined) return;
      const period = Math.floor(clock.now().getTime() / TABLE_KEY_MILLISECONDS);
      if (service === 'dynamodb' && isFirst(`${functionName} ${period}`)) count('keyRequests', 1);
      if (service === 'kms') count('keyRequests', 1);
      else if (!BILLED_OTHERWISE.has(service)) count('freeCalls', 1);
    },
  };
};
