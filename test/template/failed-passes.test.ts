import { expect, inject, it } from 'vitest';
import { readFailedPass } from '../../functions/events/failed-pass.ts';
import { matches } from '../../infra/local/engines/events/pattern.ts';
import type { Execution } from '../../infra/local/engines/states/executions.ts';
import { statusChangeOf } from '../../infra/local/engines/states/status-change.ts';
import { systemRandom } from '../../shared/random.ts';
import { resourcesOf } from './definitions.ts';

const target = { partition: 'aws', accountId: '123456789012', region: 'us-east-1' } as Parameters<
  typeof statusChangeOf
>[1];

const [converge = ''] =
  resourcesOf(inject('outdir'), 'AWS::StepFunctions::StateMachine').find(([, { StateMachineName }]) =>
    String(StateMachineName).endsWith('converge-cluster'),
  ) ?? [];

/** The pattern of the rule, with the state machine's logical id instead of its ARN. */
const pattern = (): unknown =>
  resourcesOf(inject('outdir'), 'AWS::Events::Rule').find(([id]) => id.startsWith('FailedPasses'))?.[1].EventPattern;

const event = (status: Execution['status'], machine = converge) =>
  statusChangeOf(
    {
      arn: 'arn:aws:states:us-east-1:123456789012:execution:x:uid-1',
      name: 'uid-1',
      machineArn: machine,
      input: JSON.stringify({ cluster: { namespace: 'default', name: 'red', uid: 'uid' }, wanted: 1, holder: 'uid-1' }),
      startDate: new Date(0),
      stopDate: new Date(1000),
      status,
    } as Execution,
    target,
    systemRandom,
  );

it('reports each failed pass, and no other execution', () => {
  for (const status of ['FAILED', 'TIMED_OUT', 'ABORTED'] as const) {
    expect(matches(pattern(), event(status)), status).toBe(true);
    expect(readFailedPass(event(status))).toMatchObject({ holder: 'uid-1', isAborted: status === 'ABORTED' });
  }
  expect(matches(pattern(), event('SUCCEEDED'))).toBe(false);
  expect(matches(pattern(), event('RUNNING'))).toBe(false);
  expect(matches(pattern(), event('FAILED', 'provision-machine'))).toBe(false);
});
