import {
  type CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { FUNCTION_NAMES } from '../../bundle/entries.ts';
import { type LogLine, readLine } from './line.ts';

export interface Query {
  stack: string;
  namespace: string;
  name: string;
  /** Milliseconds since 1970. */
  since: number;
}

const quoted = (text: string): string => JSON.stringify(text);

/**
 * A filter pattern of CloudWatch Logs for the lines about a cluster. Source: "Filter pattern syntax for metric filters,
 * subscription filters, filter log events, and Live Tail" in CloudWatch's user guide.
 */
const patternOf = ({ namespace, name }: Pick<Query, 'namespace' | 'name'>): string =>
  `{ $.namespace = ${quoted(namespace)} && ($.cluster = ${quoted(name)} || ($.resource = "clusters" && $.name = ${quoted(name)})) }`;

/** Excludes the groups of another stack whose name begins with this one's name and a hyphen. */
const groupsOf = async (client: CloudWatchLogsClient, prefix: string): Promise<string[]> => {
  const own = new Set(FUNCTION_NAMES.map((name) => `${prefix}${name}`));
  const groups: string[] = [];
  for await (const page of paginateDescribeLogGroups({ client }, { logGroupNamePrefix: prefix }))
    groups.push(...(page.logGroups ?? []).flatMap(({ logGroupName }) => logGroupName ?? []));
  return groups.filter((group) => own.has(group));
};

/** The lines about a cluster in the log groups of all functions of a stack, oldest first. */
export const readCloudWatch = async (client: CloudWatchLogsClient, query: Query): Promise<LogLine[]> => {
  const prefix = `/aws/lambda/${query.stack}-`;
  const groups = await groupsOf(client, prefix);
  if (groups.length === 0) throw new Error(`there are no log groups ${prefix}*: is --stack the name of the stack?`);
  const lines = await Promise.all(
    groups.map(async (logGroupName) => {
      const found: LogLine[] = [];
      const filter = { logGroupName, startTime: query.since, filterPattern: patternOf(query) };
      for await (const { events = [] } of paginateFilterLogEvents({ client }, filter))
        found.push(...events.flatMap(({ message = '' }) => readLine(message, logGroupName.slice(prefix.length)) ?? []));
      return found;
    }),
  );
  return lines.flat().sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
};
