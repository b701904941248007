import {
  CreateSecretCommand,
  type CreateSecretCommandInput,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
  TagResourceCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';

let test: TestAws;
let client: SecretsManagerClient;
beforeEach(async () => {
  test = await startTestAws();
  client = new SecretsManagerClient(test.client);
});
afterEach(async () => {
  client.destroy();
  await test.aws.close();
});

const Name = 'aws.cluster.x-k8s.io/0-0';
const TOKEN = '00000000-0000-4000-8000-000000000000';
const create = (more: Partial<CreateSecretCommandInput> = {}) =>
  client.send(new CreateSecretCommand({ Name, SecretBinary: new Uint8Array([1, 0, 255]), ...more }));
const readValue = (SecretId = Name) => client.send(new GetSecretValueCommand({ SecretId }));

it('keeps a binary value, and finds it by name, by ARN and by an ARN without its suffix', async () => {
  const { ARN = '' } = await create({ Tags: [{ Key: 'a', Value: 'b' }] });

  expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:aws\.cluster\.x-k8s\.io\/0-0-\w{6}$/);
  for (const id of [Name, ARN, ARN.slice(0, -7)])
    expect([...((await readValue(id)).SecretBinary ?? [])]).toEqual([1, 0, 255]);
  const about = await client.send(new DescribeSecretCommand({ SecretId: Name }));
  expect(about.Tags).toEqual([{ Key: 'a', Value: 'b' }]);
});

it('is created once for a token, and refused with another value or another token', async () => {
  const one = await create({ ClientRequestToken: TOKEN });
  const two = await create({ ClientRequestToken: TOKEN });

  expect(two).toMatchObject({ ARN: one.ARN, VersionId: TOKEN });
  const other = create({ ClientRequestToken: TOKEN, SecretBinary: new Uint8Array([2]) });
  expect(await codeOf(other)).toBe('ResourceExistsException');
  expect(await codeOf(create())).toBe('ResourceExistsException');
});

it('moves the current stage to a new value', async () => {
  await create({ SecretBinary: undefined, SecretString: 'one' });
  await client.send(new PutSecretValueCommand({ SecretId: Name, SecretString: 'two' }));
  const previous = new GetSecretValueCommand({ SecretId: Name, VersionStage: 'AWSPREVIOUS' });

  expect((await readValue()).SecretString).toBe('two');
  expect((await client.send(previous)).SecretString).toBe('one');
});

it('is deleted immediately if forced, even if it does not exist', async () => {
  await create();
  const force = () => client.send(new DeleteSecretCommand({ SecretId: Name, ForceDeleteWithoutRecovery: true }));
  await force();

  expect(await codeOf(readValue())).toBe('ResourceNotFoundException');
  expect((await force()).Name).toBe(Name);
  await create();
});

it('can be restored until its recovery window ends', async () => {
  await create();
  const remove = () => client.send(new DeleteSecretCommand({ SecretId: Name, RecoveryWindowInDays: 7 }));
  await remove();

  expect(await codeOf(readValue())).toBe('InvalidRequestException');
  expect(await codeOf(create())).toBe('InvalidRequestException');
  await client.send(new RestoreSecretCommand({ SecretId: Name }));
  await readValue();
  await remove();
  test.clock.advance(7 * 86_400_000);
  expect(await codeOf(readValue())).toBe('ResourceNotFoundException');
});

it('lists with filters and pages', async () => {
  for (const name of ['a/1', 'a/2', 'b/1']) await create({ Name: name });
  await client.send(new TagResourceCommand({ SecretId: 'b/1', Tags: [{ Key: 'owner', Value: 'me' }] }));
  const list = async (Key: 'name' | 'tag-key', ...Values: string[]) =>
    (await client.send(new ListSecretsCommand({ Filters: [{ Key, Values }] }))).SecretList?.map((one) => one.Name);
  const first = await client.send(new ListSecretsCommand({ MaxResults: 2 }));
  const second = await client.send(new ListSecretsCommand({ MaxResults: 2, NextToken: first.NextToken }));

  expect(await list('name', 'a/')).toEqual(['a/1', 'a/2']);
  expect(await list('name', '!a/')).toEqual(['b/1']);
  expect(await list('tag-key', 'own')).toEqual(['b/1']);
  expect([first.SecretList?.length, second.SecretList?.length, second.NextToken]).toEqual([2, 1, undefined]);
});

it.each([
  [{ Name: 'a b' }, 'ValidationException'],
  [{ SecretBinary: new Uint8Array(65_537) }, 'ValidationException'],
  [{ SecretString: 'both' }, 'InvalidParameterException'],
  [{ ClientRequestToken: 'short' }, 'InvalidParameterException'],
  [{ Tags: [{ Key: 'aws:x', Value: '' }] }, 'InvalidParameterException'],
  [{ AddReplicaRegions: [{ Region: 'eu-west-1' }] }, 'NotSimulated'],
] as [Partial<CreateSecretCommandInput>, string][])('refuses invalid input %#', async (more, code) => {
  expect(await codeOf(create(more))).toBe(code);
  expect(await codeOf(readValue())).toBe('ResourceNotFoundException');
});
