import {
  DeleteParametersCommand,
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  PutParameterCommand,
  type PutParameterCommandInput,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';

let test: TestAws;
let ssm: SSMClient;
beforeEach(async () => {
  test = await startTestAws();
  ssm = new SSMClient(test.client);
});
afterEach(async () => {
  ssm.destroy();
  await test.aws.close();
});

const put = (Name: string, Value: string, more: Partial<PutParameterCommandInput> = {}) =>
  ssm.send(new PutParameterCommand({ Name, Value, Type: 'String', ...more }));
const get = async (Name: string, WithDecryption?: boolean) =>
  (await ssm.send(new GetParameterCommand({ Name, WithDecryption }))).Parameter;

it('keeps parameters and their versions', async () => {
  await put('/a/b', 'one');

  expect(await codeOf(put('/a/b', 'two'))).toBe('ParameterAlreadyExists');
  await put('/a/b', 'two', { Overwrite: true });
  expect(await get('/a/b')).toMatchObject({ Value: 'two', Version: 2, LastModifiedDate: test.clock.now() });
  expect((await get('arn:aws:ssm:us-east-1:000000000000:parameter/a/b'))?.Name).toBe('/a/b');
});

it('decrypts a secure value only on request', async () => {
  await put('/s', 'secret', { Type: 'SecureString' });

  expect((await get('/s'))?.Value).not.toContain('secret');
  expect((await get('/s', true))?.Value).toBe('secret');
});

it('gets and deletes several parameters, and names those that do not exist', async () => {
  await put('/a/1', 'x');
  await put('/a/b/2', 'y');
  const Names = ['/a/1', '/none'];
  const flat = await ssm.send(new GetParametersByPathCommand({ Path: '/a' }));
  const deep = await ssm.send(new GetParametersByPathCommand({ Path: '/a', Recursive: true }));

  expect(flat.Parameters?.map(({ Name }) => Name)).toEqual(['/a/1']);
  expect(deep.Parameters?.map(({ Name }) => Name)).toEqual(['/a/1', '/a/b/2']);
  expect((await ssm.send(new GetParametersCommand({ Names }))).InvalidParameters).toEqual(['/none']);
  expect(await ssm.send(new DeleteParametersCommand({ Names }))).toMatchObject({
    DeletedParameters: ['/a/1'],
    InvalidParameters: ['/none'],
  });
  expect(await codeOf(get('/a/1'))).toBe('ParameterNotFound');
});

it('refuses reserved names and values that are too long', async () => {
  expect(await codeOf(put('/aws/x', 'x'))).toBe('ValidationException');
  expect(await codeOf(put('a b', 'x'))).toBe('ValidationException');
  expect(await codeOf(put('/long', 'x'.repeat(4097)))).toBe('ValidationException');
});
