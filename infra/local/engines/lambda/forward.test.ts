import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvokeCommand, type InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../shared/log.ts';
import { makeHandClock, makeSeededRandom } from '../../test-aws.ts';
import { createWireServer, type WireServer } from '../wire/server.ts';
import { lambdaForward } from './forward.ts';
import { userFunctionOf } from './user-function.ts';
import { makeUserFunctions, type UserFunctions } from './users.ts';

const TARGET = { partition: 'aws', accountId: '000000000000', region: 'us-east-1', urlSuffix: '', stackName: '' };
const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:hooks';
const SOURCE = `
export const handler = async (event, { functionName, invokedFunctionArn }) => {
  if (event.fail) throw new TypeError('failed as asked');
  return { event, functionName, invokedFunctionArn };
};`;

let server: WireServer;
let users: UserFunctions;
let client: LambdaClient;

beforeEach(async () => {
  const [clock, random] = [makeHandClock(), makeSeededRandom('test')];
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-function-')), 'hooks.mjs');
  writeFileSync(file, SOURCE);
  const options = { target: TARGET, shared: {}, clock, random, onLog: () => {} };
  users = makeUserFunctions([userFunctionOf('hooks', file)], options);
  const stack = { has: (name: string) => name === 'Windlass-drift', invoke: async (name: string) => name };
  server = createWireServer({ clock, random, log: silentLog }).forward('lambda', lambdaForward(TARGET, stack, users));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  client = new LambdaClient({ region: 'us-east-1', endpoint: await server.listen(), credentials, maxAttempts: 1 });
});

afterEach(async () => {
  client.destroy();
  await users.stop();
  await server.close();
});

const invoke = async (FunctionName: string, input: Partial<InvokeCommandInput> = {}) => {
  const { Payload, ...answer } = await client.send(new InvokeCommand({ FunctionName, Payload: '{"a":1}', ...input }));
  return { ...answer, value: JSON.parse(Buffer.from(Payload ?? []).toString()) };
};

describe('Invoke', () => {
  it.each([ARN, `${ARN}:live`, '000000000000:function:hooks', 'hooks', 'hooks:3'])(
    'finds a function of the account by the name %s',
    async (name) => {
      const { value, StatusCode, FunctionError } = await invoke(name);
      expect({ StatusCode, FunctionError }).toEqual({ StatusCode: 200, FunctionError: undefined });
      expect(value).toEqual({ event: { a: 1 }, functionName: 'hooks', invokedFunctionArn: ARN });
    },
  );

  it('finds the functions of the stack', async () => {
    expect((await invoke('Windlass-drift')).value).toBe('Windlass-drift');
  });

  it.each([
    ['hooks-of-others'],
    [ARN.replace('us-east-1', 'eu-west-1')],
    [ARN.replace('000000000000', '111111111111')],
  ])('does not find the function %s', async (name) => {
    await expect(invoke(name)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('reports an error that a function threw', async () => {
    const { value, FunctionError, StatusCode } = await invoke('hooks', { Payload: '{"fail":true}' });
    expect({ StatusCode, FunctionError }).toEqual({ StatusCode: 200, FunctionError: 'Unhandled' });
    expect(value).toMatchObject({ errorType: 'TypeError', errorMessage: 'failed as asked' });
  });

  it.each([
    [{ Payload: 'no' }, 'InvalidRequestContentException'],
    [{ Payload: `"${'x'.repeat(6 * 1024 * 1024)}"` }, 'RequestTooLargeException'],
    [{ InvocationType: 'Event' }, 'NotSimulated'],
    [{ LogType: 'Tail' }, 'NotSimulated'],
  ] as const)('refuses an invalid or unsupported request', async (input, name) => {
    await expect(invoke('hooks', input)).rejects.toMatchObject({ name });
  });
});

describe('a function of a user', () => {
  it('requires a name that Lambda allows, and an existing file', () => {
    expect(() => userFunctionOf('a name', 'hooks.mjs')).toThrow('function "a name": names have at most 64 letters');
    expect(() => userFunctionOf('hooks', '/nowhere/hooks.mjs')).toThrow(
      'function "hooks": there is no file /nowhere/hooks.mjs',
    );
  });
});
