import { Sha256 } from '@aws-crypto/sha256-js';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startTestAws, type TestAws } from '../../test-aws.ts';
import type { Credentials } from './principals.ts';

let test: TestAws;
let sts: STSClient;
beforeEach(async () => {
  test = await startTestAws();
  sts = new STSClient(test.client);
});
afterEach(async () => {
  sts.destroy();
  await test.aws.close();
});

const ADMIN = 'arn:aws:sts::000000000000:assumed-role/WindlassAdmin/laptop';
const RoleArn = 'arn:aws:iam::000000000000:role/team/Viewer';

it('identifies the caller', async () => {
  const caller = await sts.send(new GetCallerIdentityCommand({}));
  const stranger = new STSClient({
    ...test.client,
    credentials: { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'x' },
  });

  expect(caller).toMatchObject({
    Account: '000000000000',
    Arn: ADMIN,
    UserId: expect.stringMatching(/^AROA\w+:laptop$/),
  });
  expect(await codeOf(stranger.send(new GetCallerIdentityCommand({})))).toBe('InvalidClientTokenId');
});

it('issues temporary credentials for a role', async () => {
  const input = { RoleArn, RoleSessionName: 'session', DurationSeconds: 900, ExternalId: 'x' };
  const { Credentials: given, AssumedRoleUser } = await sts.send(new AssumeRoleCommand(input));
  const credentials = {
    accessKeyId: given?.AccessKeyId ?? '',
    secretAccessKey: given?.SecretAccessKey ?? '',
    sessionToken: given?.SessionToken,
  };
  const assumed = new STSClient({ ...test.client, credentials });
  const who = () => assumed.send(new GetCallerIdentityCommand({}));

  expect(AssumedRoleUser?.Arn).toBe('arn:aws:sts::000000000000:assumed-role/Viewer/session');
  expect((await who()).Arn).toBe(AssumedRoleUser?.Arn);
  test.clock.advance(900_000);
  expect(await codeOf(who())).toBe('ExpiredToken');
});

it.each([
  { RoleArn: 'Viewer', RoleSessionName: 'session' },
  { RoleArn, RoleSessionName: 'a b' },
  { RoleArn, RoleSessionName: 'session', DurationSeconds: 10 },
])('refuses to assume a role with %j', async (input) => {
  expect(await codeOf(sts.send(new AssumeRoleCommand(input)))).toBe('ValidationError');
});

describe('a presigned request', () => {
  const HOST = 'sts.us-east-1.amazonaws.com';

  const presign = async (credentials: Credentials = test.account.credentials): Promise<string> => {
    const signer = new SignatureV4({
      service: 'sts',
      region: 'us-east-1',
      credentials,
      sha256: Sha256,
      applyChecksum: false,
    });
    const request = {
      method: 'GET',
      protocol: 'https:',
      hostname: HOST,
      path: '/',
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
      headers: { host: HOST, 'x-k8s-aws-id': 'windlass' },
    };
    const signed = await signer.presign(request, {
      expiresIn: 60,
      signingDate: test.clock.now(),
      unhoistableHeaders: new Set(['x-k8s-aws-id']),
    });
    return new URLSearchParams(signed.query as Record<string, string>).toString();
  };
  interface StsAnswer {
    GetCallerIdentityResponse?: { GetCallerIdentityResult: object };
    Error?: { Code: string };
  }
  const send = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${test.aws.url}/?${query}`, {
      headers: { accept: 'application/json', 'x-k8s-aws-id': 'windlass', ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as StsAnswer };
  };

  it('is answered as JSON', async () => {
    const { status, body } = await send(await presign());

    expect(status).toBe(200);
    expect(body.GetCallerIdentityResponse?.GetCallerIdentityResult).toMatchObject({
      Arn: ADMIN,
      Account: '000000000000',
    });
  });

  it('is answered as XML unless the client requests JSON', async () => {
    const answer = await fetch(`${test.aws.url}/?${await presign()}`, {
      headers: { accept: '*/*', 'x-k8s-aws-id': 'windlass' },
    });

    expect(await answer.text()).toContain(`<Arn>${ADMIN}</Arn>`);
  });

  it('is valid for fifteen minutes', async () => {
    const query = await presign();
    test.clock.advance(900_000);
    expect((await send(query)).status).toBe(200);
    test.clock.advance(1);

    expect(await send(query)).toMatchObject({ status: 403, body: { Error: { Code: 'SignatureDoesNotMatch' } } });
  });

  it.each([
    ['another cluster', (query: string) => query, { 'x-k8s-aws-id': 'other' }],
    ['another action', (query: string) => query.replace('2011-06-15', '2011-06-16'), {}],
    ['another date', (query: string) => query.replace('T100000Z', 'T100001Z'), {}],
    ['another signature', (query: string) => query.replace(/Signature=..../, 'Signature=0000'), {}],
    ['no signature', (query: string) => query.replace(/&?X-Amz-Signature=[^&]+/, ''), {}],
  ])('is refused with %s', async (_what, change, headers) => {
    const answer = await send(change(await presign()), headers);

    expect(answer).toMatchObject({ status: 403, body: { Error: { Code: 'SignatureDoesNotMatch', Type: 'Sender' } } });
  });

  it('is refused if a stranger signed it, or with a wrong session token', async () => {
    const stranger = await presign({ accessKeyId: 'AKIASTRANGER', secretAccessKey: 'x' });
    const principal = test.account.principals.add('arn:aws:sts::000000000000:assumed-role/Editor/me', {
      expiresAt: new Date('2027-01-01T00:00:00Z'),
    });
    const good = await presign(principal.credentials);
    const forged = await presign({ ...principal.credentials, sessionToken: 'forged' });

    expect((await send(good)).status).toBe(200);
    for (const query of [stranger, forged])
      expect((await send(query)).body).toMatchObject({ Error: { Code: 'InvalidClientTokenId' } });
  });
});
