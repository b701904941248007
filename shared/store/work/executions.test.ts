import type { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { describe, expect, it } from 'vitest';
import { createExecutions, createTouch } from './executions.ts';

const cluster = { namespace: 'default', name: 'demo', uid: 'c-1' };
const machine = { namespace: 'default', name: 'demo-x', uid: 'm-1', clusterName: 'demo', clusterUid: 'c-1' };

/** Records requests, and rejects a name that is already in use as Step Functions does. */
const fakeStepFunctions = (failure?: Error) => {
  const started: { arn?: string; name?: string; input: unknown }[] = [];
  const send = async ({ input }: StartExecutionCommand) => {
    if (failure) throw failure;
    if (started.some(({ arn, name }) => arn === input.stateMachineArn && name === input.name)) {
      throw Object.assign(new Error('Execution Already Exists'), { name: 'ExecutionAlreadyExists' });
    }
    started.push({ arn: input.stateMachineArn, name: input.name, input: JSON.parse(input.input ?? '') });
  };
  return { started, sfn: { send } as unknown as SFNClient };
};

const arns = { convergeArn: 'arn:converge', provisionArn: 'arn:provision', removeArn: 'arn:remove' };

describe('executions', () => {
  it('start under names that describe their purpose', async () => {
    const { started, sfn } = fakeStepFunctions();
    const executions = createExecutions({ sfn, ...arns });
    await executions.startConverge({ ...cluster, extra: 'not sent' } as typeof cluster, 7);
    await executions.startProvision(machine, 'm-1-1');
    await executions.startRemove(machine, 'm-1-1');
    expect(started).toEqual([
      { arn: 'arn:converge', name: 'c-1-7', input: { cluster, wanted: 7, holder: 'c-1-7' } },
      { arn: 'arn:provision', name: 'm-1-1', input: { machine, holder: 'provision/m-1-1' } },
      { arn: 'arn:remove', name: 'm-1-1', input: { machine, holder: 'remove/m-1-1' } },
    ]);
  });

  it('accept one that exists, and report whether a pass was started', async () => {
    const { started, sfn } = fakeStepFunctions();
    const executions = createExecutions({ sfn, ...arns });
    expect(await executions.startConverge(cluster, 7)).toBe(true);
    expect(await executions.startConverge(cluster, 7)).toBe(false);
    await executions.startProvision(machine, 'm-1-1');
    await executions.startProvision(machine, 'm-1-1');
    expect(started).toHaveLength(2);
  });

  it('pass other errors on', async () => {
    const { sfn } = fakeStepFunctions(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
    await expect(createExecutions({ sfn, ...arns }).startConverge(cluster, 1)).rejects.toThrow('slow down');
  });

  it('name the workflow for which a function has no ARN', async () => {
    const { sfn } = fakeStepFunctions();
    const executions = createExecutions({ sfn, convergeArn: 'arn:converge' });
    await expect(executions.startProvision(machine, 'm-1-1')).rejects.toThrow('provision-machine');
  });
});

describe('touch', () => {
  const workAt = (wanted: number, { leased = false } = {}) => {
    let at = wanted;
    const count = async () => ({ wanted: ++at, leased });
    const skip = async () => {
      at = 1_800_000_000_000;
      return { wanted: at, leased };
    };
    return { touch: count, skip };
  };

  it.each([
    { leased: false, starts: ['c-1-3'], reason: 'no other pass would see the wish' },
    { leased: true, starts: [], reason: 'the live pass sees it when it finishes' },
  ])('starts $starts.length pass when leased is $leased: $reason', async ({ leased, starts }) => {
    const { started, sfn } = fakeStepFunctions();
    await createTouch({ work: workAt(2, { leased }), executions: createExecutions({ sfn, ...arns }) })(cluster);
    expect(started.map(({ name }) => name)).toEqual(starts);
  });

  it('skips the names that were used before the table was restored to an earlier state', async () => {
    const { started, sfn } = fakeStepFunctions();
    const executions = createExecutions({ sfn, ...arns });
    const before = createTouch({ work: workAt(2), executions });
    for (let count = 0; count < 3; count += 1) await before(cluster);
    const restored = createTouch({ work: workAt(2), executions });
    await restored(cluster);
    await restored(cluster);
    expect(started.map(({ name }) => name)).toEqual([
      'c-1-3',
      'c-1-4',
      'c-1-5',
      'c-1-1800000000000',
      'c-1-1800000000001',
    ]);
  });

  it('fails if every name is taken, so that the request remains for the sweep', async () => {
    const executions = { startConverge: async () => false };
    await expect(createTouch({ work: workAt(2), executions })(cluster)).rejects.toThrow('c-1-1800000000000 exists');
  });
});
