import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureRuntime, startFixtureRuntime } from './fixture-runtime.ts';
import type { Runtime } from './runtime.ts';
import { loadAssembly } from './template.ts';

let fixture: FixtureRuntime;
let runtime: Runtime;
let sfn: SFNClient;

beforeAll(async () => {
  fixture = await startFixtureRuntime();
  ({ runtime } = fixture);
  const credentials = { accessKeyId: '000000000000', secretAccessKey: 'x' };
  sfn = new SFNClient({ endpoint: fixture.options.awsUrl, region: 'us-east-1', credentials });
});

afterAll(async () => {
  sfn?.destroy();
  await fixture?.stop();
});

const machineArn = (name: string) => `arn:aws:states:us-east-1:000000000000:stateMachine:Windlass-${name}`;

const start = (name: string, execution: string) => {
  const input = { cluster: { namespace: 'default', name, uid: 'u' }, wanted: 1, holder: execution };
  return sfn.send(
    new StartExecutionCommand({
      stateMachineArn: machineArn('converge-cluster'),
      name: execution,
      input: JSON.stringify(input),
    }),
  );
};

const ended = async (executionArn: string | undefined) => {
  const found = runtime.executions().find(({ arn }) => arn === executionArn);
  await found?.ended;
  return sfn.send(new DescribeExecutionCommand({ executionArn }));
};

const historyOf = async (executionArn: string | undefined) => {
  const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  return events;
};

const statesOf = async (executionArn: string | undefined): Promise<string[]> =>
  (await historyOf(executionArn)).flatMap(({ type, stateEnteredEventDetails }) =>
    type === 'TaskStateEntered' ? [stateEnteredEventDetails?.name ?? ''] : [],
  );

describe('workflows', () => {
  it('are exactly those of the template', async () => {
    const { template } = loadAssembly(fixture.options.outdir);
    const machines = Object.values(template.Resources).filter(
      ({ Type }) => Type === 'AWS::StepFunctions::StateMachine',
    );
    const functionNames = Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' ? [[id, String(Properties?.FunctionName)] as const] : [],
    );
    const names = new Map(functionNames);
    for (const { Properties } of machines) {
      const join = Properties?.DefinitionString as { 'Fn::Join': [string, (string | { 'Fn::GetAtt': [string] })[]] };
      const expected = join['Fn::Join'][1]
        .map((part) =>
          typeof part === 'string'
            ? part
            : `arn:aws:lambda:us-east-1:000000000000:function:${names.get(part['Fn::GetAtt'][0])}`,
        )
        .join('');
      const name = String(Properties?.StateMachineName);
      expect(runtime.definitions().get(name)).toBe(expected);
      const stateMachineArn = machineArn(name.replace('Windlass-', ''));
      const { definition } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
      expect(definition).toBe(expected);
    }
    expect(machines).toHaveLength(4);
  });

  it('allow a state machine to be created once, and refuse its name for another definition', async () => {
    const create = (Type: string) => {
      const definition = JSON.stringify({ StartAt: 'only', States: { only: { Type, End: true } } });
      return sfn.send(new CreateStateMachineCommand({ name: 'made', definition, roleArn: 'arn:aws:iam::1:role/x' }));
    };
    expect((await create('Pass')).stateMachineArn).toBe((await create('Pass')).stateMachineArn);
    await expect(create('Succeed')).rejects.toMatchObject({ name: 'StateMachineAlreadyExists' });
    const { stateMachineArn } = await create('Pass');
    const { executionArn } = await sfn.send(
      new StartExecutionCommand({ stateMachineArn, name: 'made-1', input: '{}' }),
    );
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
  });

  it('start new executions with an updated definition, and refuse one that cannot run', async () => {
    const stateMachineArn = machineArn('converge-cluster');
    const { definition } = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
    const update = (text: string | undefined) =>
      sfn.send(new UpdateStateMachineCommand({ stateMachineArn, definition: text }));
    await update(JSON.stringify({ StartAt: 'only', States: { only: { Type: 'Pass', End: true } } }));
    const { executionArn } = await start('one', 'updated-1');
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    expect(await statesOf(executionArn)).toEqual([]);
    await expect(update(JSON.stringify({ StartAt: 'only', States: { only: { Type: 'Map' } } }))).rejects.toMatchObject({
      name: 'InvalidDefinition',
      message: expect.stringContaining('does not run states of type Map'),
    });
    await update(definition);
  });

  it('run a normal pass through all of its steps', async () => {
    const { executionArn } = await start('one', 'normal-1');
    const result = await ended(executionArn);
    expect(result.status).toBe('SUCCEEDED');
    const states = await statesOf(executionArn);
    expect(states.slice(0, 2)).toEqual(['begin', 'foundation']);
    expect(states.slice(2, 5).sort()).toEqual(['certificates', 'egress', 'endpoint']);
    expect(states.slice(5)).toEqual(['machines', 'workload', 'conclude']);
  });

  it('check a control plane before its machines change', async () => {
    const { executionArn } = await start('changing', 'changing-1');
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    expect((await statesOf(executionArn)).slice(5)).toEqual(['probe', 'machines', 'workload', 'conclude']);
  });

  it('continue deletions, but skip the machines, while the infrastructure is not ready', async () => {
    const { executionArn } = await start('unready', 'unready-1');
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    const states = ['begin', 'foundation', 'workloadWhileUnready', 'concludeWhileUnready'];
    expect(await statesOf(executionArn)).toEqual(states);
  });

  it('continue with the machines of a cluster whose infrastructure has not been ready for a long time', async () => {
    const long = await start('unready-for-long', 'unready-2');
    expect((await ended(long.executionArn)).status).toBe('SUCCEEDED');
    const states = ['begin', 'foundation', 'certificatesWhileUnready', 'machines', 'workload', 'conclude'];
    expect(await statesOf(long.executionArn)).toEqual(states);

    const endpoint = await start('endpoint-unready', 'unready-3');
    expect((await ended(endpoint.executionArn)).status).toBe('SUCCEEDED');
    expect((await statesOf(endpoint.executionArn)).slice(-3)).toEqual(['machines', 'workload', 'conclude']);
  });

  it.each([
    ['busy', ['begin']],
    ['gone', ['begin']],
    ['paused', ['begin', 'conclude']],
    ['delete', ['begin', 'teardown', 'removeEndpoint', 'removeFoundation', 'conclude']],
  ])('run a pass in mode %s', async (mode, states) => {
    const { executionArn } = await start(mode, `mode-${mode}`);
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    expect(await statesOf(executionArn)).toEqual(states);
  });

  it('retry after a retryable error, and pass all other errors to the failing step', async () => {
    const flaky = await start('flaky', 'flaky-1');
    expect((await ended(flaky.executionArn)).status).toBe('SUCCEEDED');
    expect((await historyOf(flaky.executionArn)).filter(({ type }) => type === 'LambdaFunctionFailed')).toHaveLength(1);

    const refused = await start('refused', 'refused-1');
    const result = await ended(refused.executionArn);
    expect(result.status).toBe('SUCCEEDED');
    expect((await statesOf(refused.executionArn)).at(-1)).toBe('fail');
    const { failure } = JSON.parse(result.output ?? '{}');
    expect(failure.Error).toBe('Refused');
    expect(JSON.parse(failure.Cause)).toMatchObject({ errorType: 'Refused', errorMessage: 'no permission' });
  });

  it('continue with other objects after one has failed, and report the failure at the end', async () => {
    const { executionArn } = await start('bad', 'bad-1');
    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    const states = ['machines', 'workloadAfterFailure', 'concludeAfterFailure'];
    expect((await statesOf(executionArn)).slice(-3)).toEqual(states);
  });

  it('fail an execution whose payload is larger than 256 KB, whatever its Catch says', async () => {
    const { executionArn } = await start('large', 'large-1');
    const { status, error } = await ended(executionArn);
    expect([status, error]).toEqual(['FAILED', 'States.DataLimitExceeded']);
  });

  it('use a name once: the same input joins, and another input or an ended execution is refused', async () => {
    const first = await start('slow', 'slow-1');
    const again = await start('slow', 'slow-1');
    expect(again.executionArn).toBe(first.executionArn);
    await expect(start('another', 'slow-1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await sfn.send(new StopExecutionCommand({ executionArn: first.executionArn, error: 'Enough', cause: 'of it' }));
    const stopped = await ended(first.executionArn);
    expect(stopped).toMatchObject({ status: 'ABORTED', error: 'Enough', cause: 'of it' });
    await expect(start('slow', 'slow-1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await expect(start('one', 'no spaces')).rejects.toMatchObject({ name: 'InvalidName' });
  });

  it('list executions by status, page by page', async () => {
    const stateMachineArn = machineArn('converge-cluster');
    const command = { stateMachineArn, statusFilter: 'SUCCEEDED', maxResults: 2 } as const;
    const first = await sfn.send(new ListExecutionsCommand(command));
    const second = await sfn.send(new ListExecutionsCommand({ ...command, nextToken: first.nextToken }));
    const names = [...(first.executions ?? []), ...(second.executions ?? [])].map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    expect(names).not.toContain('slow-1');
  });
});

it('gives a function its variables only while it is imported', async () => {
  await ended((await start('one', 'variables-1')).executionArn);
  expect(await runtime.invoke('Windlass-drift', { time: 'now' })).toEqual({ time: 'now', table: null });
  expect(fixture.logs.join('')).toContain('Windlass-cluster-objects: begin no variable outside of the import');
});
