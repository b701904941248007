/** How many bytes CloudWatch Logs ingests, except those that the laptop writes itself, and what metrics cost. */
import type { EngineEvent } from '../engines/states/history.ts';
import { historyOf } from '../engines/states/history.ts';

/** What CloudWatch adds to each line. */
export const LINE_BYTES = 26;

/** What Lambda itself writes about an invocation, as JSON: that it began, and what it took. */
export const INVOCATION_BYTES = 600;

/** A line of the gateway's access log. */
export const ACCESS_BYTES = 420;

/** Levels of Step Functions' logs: `ALL`, or only what went wrong. */
export type LogLevel = 'ALL' | 'ERROR' | 'FATAL' | 'OFF';

const WENT_WRONG = /Failed$|TimedOut$|Aborted$/;
const ENDED_BADLY = /^Execution(Failed|TimedOut|Aborted)$/;

const isLogged = (type: string, level: LogLevel): boolean =>
  level === 'ALL' || (level === 'ERROR' && WENT_WRONG.test(type)) || (level === 'FATAL' && ENDED_BADLY.test(type));

/** Of the lines about an event of an execution, without the data of its states. */
export const workflowLogBytes = (event: EngineEvent, executionArn: string, level: LogLevel): number => {
  if (level === 'OFF') return 0;
  const lines = historyOf([event]).filter(({ type = '' }) => isLogged(type, level));
  return lines.reduce((sum, { id, type, previousEventId, timestamp }) => {
    const line = {
      ...{ id: String(id), type, previous_event_id: String(previousEventId) },
      ...{ details: { name: event.state?.name, cause: event.Cause && String(event.Cause) } },
      ...{ event_timestamp: String(timestamp?.getTime()), execution_arn: executionArn, redrive_count: '0' },
    };
    return sum + LINE_BYTES + Buffer.byteLength(JSON.stringify(line));
  }, 0);
};

interface EmbeddedMetrics {
  _aws: { Timestamp: number; CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  [dimension: string]: unknown;
}

/** How lines of the embedded metric format begin, as Powertools writes them. */
const EMBEDDED = '{"_aws":';

export const isMetricsLine = (text: string): boolean => text.startsWith(EMBEDDED);

const HOUR_MILLISECONDS = 3_600_000;

/** The metrics of a line, each a name with its dimensions, and the hour of the line: that is what is billed. */
export const metricHours = (text: string): { metric: string; hour: number }[] => {
  const line = JSON.parse(text) as EmbeddedMetrics;
  const hour = Math.floor(line._aws.Timestamp / HOUR_MILLISECONDS);
  return line._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const place = names.map((name) => `${name}=${String(line[name])}`).join(' ');
      return Metrics.map(({ Name }) => ({ metric: `${Name} ${place}`, hour }));
    }),
  );
};
