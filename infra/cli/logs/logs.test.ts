import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { expect, it } from 'vitest';
import { readCloudWatch } from './cloudwatch.ts';
import { concerns, lineText, readLine } from './line.ts';

const line = (keys: object) => JSON.stringify({ level: 'INFO', timestamp: '2030-01-01T00:00:00.000Z', ...keys });

const STEP = line({
  message: 'step finished',
  service: 'Windlass',
  step: 'launchInstance',
  namespace: 'default',
  cluster: 'demo',
  machine: 'demo-a',
  milliseconds: 27,
});

it('shows a step with its machine and its metrics, without the keys that all lines have', () => {
  const found = readLine(STEP, 'machine-instance');
  expect(found && lineText(found)).toBe(
    '2030-01-01T00:00:00.000Z  INFO   machine-instance/launchInstance  Machine demo-a  step finished  milliseconds=27',
  );
  expect(readLine('START RequestId: 1', 'api')).toBeUndefined();
});

it.each([
  [STEP, true],
  [line({ audit: true, resource: 'clusters', namespace: 'default', name: 'demo' }), true],
  [line({ audit: true, resource: 'secrets', namespace: 'default', name: 'demo' }), false],
  [line({ namespace: 'other', cluster: 'demo' }), false],
])('selects the lines of a cluster: %s %s', (text, isOurs) => {
  const found = readLine(text, 'f');
  expect(found && concerns({ namespace: 'default', name: 'demo' })(found)).toBe(isOurs);
});

/** CloudWatch Logs with one line in each group, the later group first. */
const answers = (groups: readonly string[]): CloudWatchLogsClient => {
  const client = new CloudWatchLogsClient({ region: 'us-east-1' });
  const send = async (command: unknown) => {
    if (command instanceof DescribeLogGroupsCommand)
      return { logGroups: groups.map((logGroupName) => ({ logGroupName })) };
    if (!(command instanceof FilterLogEventsCommand)) throw new Error('another call');
    const timestamp = command.input.logGroupName?.endsWith('api') ? '2030-01-01T00:00:02Z' : '2030-01-01T00:00:01Z';
    return { events: [{ message: line({ message: command.input.filterPattern, timestamp }) }] };
  };
  return Object.assign(client, { send });
};

const QUERY = { stack: 'Windlass', namespace: 'default', name: 'demo', since: 0 };

it('queries all log groups of a stack, and sorts their lines by time', async () => {
  const lines = await readCloudWatch(answers(['/aws/lambda/Windlass-api', '/aws/lambda/Windlass-drift']), QUERY);
  expect(lines.map(({ functionName }) => functionName)).toEqual(['drift', 'api']);
  expect(lines[0]?.keys.message).toBe(
    '{ $.namespace = "default" && ($.cluster = "demo" || ($.resource = "clusters" && $.name = "demo")) }',
  );
});

it('ignores the log groups of another stack whose name begins with the name of this one', async () => {
  const others = ['/aws/lambda/Windlass-blue-api', '/aws/lambda/Windlass-blue-drift'];
  const lines = await readCloudWatch(answers([...others, '/aws/lambda/Windlass-drift']), QUERY);
  expect(lines.map(({ functionName }) => functionName)).toEqual(['drift']);
  await expect(readCloudWatch(answers(others), QUERY)).rejects.toThrow('is --stack the name of the stack?');
});

it('mentions --stack if there are no log groups', async () => {
  await expect(readCloudWatch(answers([]), QUERY)).rejects.toThrow('is --stack the name of the stack?');
});
