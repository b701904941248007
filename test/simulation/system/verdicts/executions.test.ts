import { expect, it } from 'vitest';
import type { Execution } from '../../../../infra/local/engines/states/executions.ts';
import type { EngineEvent } from '../../../../infra/local/engines/states/history.ts';
import { makeCanaries } from './canaries.ts';
import { executionBreaches, runningExecution } from './executions.ts';

const execution = (more: Partial<Execution> = {}): Execution =>
  ({
    ...{ arn: 'a', name: 'a', machineArn: 'arn:aws:states:us-east-1:1:stateMachine:Cluster', input: '{}' },
    ...{ status: 'SUCCEEDED', startDate: new Date(0), output: '{}', events: [] },
    ...more,
  }) as Execution;

const TOKEN = 'abcdef.0123456789abcdef';
const entered = (input: unknown): EngineEvent => ({
  ...{ type: 'StateEntered', timestamp: 0 },
  state: { name: 'Network', type: 'Task', input },
});

it.each<[string, Partial<Execution>]>([
  ['the input', { input: JSON.stringify({ token: TOKEN }) }],
  ['the output', { output: JSON.stringify({ token: TOKEN }) }],
  ['the cause of an error', { cause: `it was ${TOKEN}` }],
  ['the history', { events: [entered({ token: TOKEN })] }],
])('a secret in %s of an execution is a violation', (_, more) => {
  expect(executionBreaches([execution(more)], makeCanaries())).toEqual(['a secret is in the execution a']);
});

it('a part of an actual secret in the history is a violation, which its form does not reveal', () => {
  const canaries = makeCanaries();
  canaries.learn('the Secret', TOKEN);
  const events = [entered({ data: Buffer.from(TOKEN).toString('base64') })];
  expect(executionBreaches([execution({ events })], canaries)).toEqual(['a part of the Secret is in the execution a']);
});

it('a history that approaches the limit of Step Functions is a violation', () => {
  const events = (count: number) => Array.from({ length: count }, () => entered({}));
  expect(executionBreaches([execution({ events: events(1600) })], makeCanaries())).toEqual([]);
  expect(executionBreaches([execution({ events: events(1700) })], makeCanaries())).toEqual([
    'the execution a has 5100 events, more than 5000',
  ]);
});

it('names the execution that has not ended', () => {
  expect(runningExecution([execution()])).toBeUndefined();
  expect(runningExecution([execution(), execution({ name: 'b', status: 'RUNNING' })])).toBe('b');
});
