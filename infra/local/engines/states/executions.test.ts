import { expect, it } from 'vitest';
import { makeHandClock } from '../../test-aws.ts';
import { makeExecutions } from './executions.ts';
import { countOf, type EngineEvent, historyOf } from './history.ts';
import { makeMachine } from './machine.ts';

/** A loop of a state that does nothing, which ends after this many rounds. */
const looping = (rounds: number) =>
  makeMachine(
    JSON.stringify({
      StartAt: 'Again',
      States: {
        Again: {
          Type: 'Choice',
          Choices: [{ Variable: '$.left', NumericEquals: 0, Next: 'End' }],
          Default: 'Count',
        },
        Count: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:count', Next: 'Again' },
        End: { Type: 'Succeed' },
      },
    }),
    [{ name: 'Count', functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:count' }],
    async (_, input) => ({ left: (input as { left: number }).left - 1 }),
  )({ left: rounds }, {});

const run = async (rounds: number) => {
  const seen: EngineEvent[] = [];
  const executions = makeExecutions(makeHandClock(), { onEvent: (event) => seen.push(event) });
  const described = { arn: 'arn', name: 'name', machineArn: 'machine', input: '{}' };
  const execution = executions.add(described, () => looping(rounds));
  await execution.ended;
  return { execution, seen };
};

/** Seven events for each round: two of the choice, five of the task. */
const EVENTS_OF_ROUND = 7;

it('fails an execution that reaches the maximum number of history events', async () => {
  const { execution, seen } = await run(4_000);
  expect(execution).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: 'The execution reached the maximum number of history events (25000).',
  });
  const history = historyOf(execution.events);
  expect(history).toHaveLength(25_000);
  expect(history.at(-1)).toMatchObject({
    id: 25_000,
    previousEventId: 24_999,
    type: 'ExecutionFailed',
    executionFailedEventDetails: { error: 'States.Runtime', cause: execution.cause },
  });
  expect(history.slice(0, -1).map(({ type }) => type)).not.toContain('ExecutionFailed');
  expect(seen).toEqual(execution.events);
});

it('lets an execution succeed below the maximum number of history events', async () => {
  const rounds = 3_000;
  const { execution } = await run(rounds);
  expect(execution.status).toBe('SUCCEEDED');
  const { length } = historyOf(execution.events);
  expect(length).toBeGreaterThan(rounds * EVENTS_OF_ROUND);
  expect(execution.events.map(countOf).reduce((sum, one) => sum + one)).toBe(length);
});
