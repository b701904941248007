import { expect, it } from 'vitest';
import { jsonLog } from '../../shared/log.ts';
import { makeAuthorize } from './authorize.ts';
import { canonicalArn } from './caller.ts';
import { CLUSTER_ID, HOST, makeSts, NOW, presignedUrl, tokenOf } from './fixtures.ts';
import { makeGroupsOf } from './principals.ts';
import { stsHosts } from './sts-hosts.ts';
import { type AskSts, makeVerify } from './verify.ts';

const ADMIN = 'arn:aws:iam::000000000000:role/WindlassAdmin';
const METHOD = 'arn:aws:execute-api:us-east-1:000000000000:abc123/k8s/GET/api/v1/namespaces';

const setUp = (options: { askSts: AskSts; trusted?: string }) => {
  const lines: string[] = [];
  let now = NOW;
  const clock = { now: () => new Date(now), sleep: () => Promise.resolve() };
  const authorize = makeAuthorize({
    verify: makeVerify({ clusterId: CLUSTER_ID, hosts: stsHosts('us-east-1'), askSts: options.askSts, clock }),
    groupsOf: makeGroupsOf({ adminPrincipals: ADMIN, trustedAccounts: options.trusted ?? '' }),
    log: jsonLog((line) => lines.push(line)),
  });
  const ask = (token: string) => authorize({ authorizationToken: `Bearer ${token}`, methodArn: METHOD });
  return { ask, lines, wait: (milliseconds: number) => (now += milliseconds) };
};

it('admits an admin to the whole stage and says who it is', async () => {
  const { ask } = setUp(makeSts());
  expect(await ask(tokenOf(await presignedUrl()))).toEqual({
    principalId: ADMIN,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: 'Allow',
          Resource: 'arn:aws:execute-api:us-east-1:000000000000:abc123/k8s/*',
        },
      ],
    },
    context: {
      principalArn: ADMIN,
      userName: ADMIN,
      groups: 'system:masters,system:authenticated',
      userId: 'AROAEXAMPLE:session',
    },
  });
});

it('admits any principal of a trusted account, without further groups', async () => {
  const sts = makeSts('arn:aws:sts::000000000000:assumed-role/Team/session');
  const answer = await setUp({ ...sts, trusted: '111111111111,000000000000' }).ask(tokenOf(await presignedUrl()));
  expect(answer.policyDocument.Statement[0]?.Effect).toBe('Allow');
  expect(answer.context).toMatchObject({
    userName: 'arn:aws:iam::000000000000:role/Team',
    groups: 'system:authenticated',
  });
});

it('denies a principal of another account', async () => {
  const { ask } = setUp(makeSts('arn:aws:sts::111111111111:assumed-role/WindlassAdmin/session'));
  const answer = await ask(tokenOf(await presignedUrl()));
  expect(answer.policyDocument.Statement[0]?.Effect).toBe('Deny');
  expect(answer.context.groups).toBe('');
});

it.each([
  ['a token that was signed for another cluster', { clusterId: 'another' }],
  ['a token that points to another region', { host: 'sts.eu-west-1.amazonaws.com' }],
  ['a token that is older than 15 minutes', { at: NOW - 16 * 60_000 }],
])('answers 401 for %s', async (_, options) => {
  const { ask } = setUp(makeSts());
  await expect(ask(tokenOf(await presignedUrl(options)))).rejects.toThrow(/^Unauthorized$/);
});

// STS must be called if only STS knows the signing key.
it.each<[what: string, asked: number, change: (url: string) => string]>([
  ['another signature', 1, (url) => url.replace(/X-Amz-Signature=./, 'X-Amz-Signature=x')],
  ['another key', 1, (url) => url.replace('AKIDEXAMPLE', 'AKIDANOTHER')],
  ['a later date', 1, (url) => url.replace(/(X-Amz-Date=\d{8}T12)00/, '$105')],
  ['a longer lifetime', 1, (url) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=900')],
  ['a lifetime beyond the limit of STS', 0, (url) => url.replace('X-Amz-Expires=60', 'X-Amz-Expires=3600')],
  ['another action', 0, (url) => url.replace('GetCallerIdentity', 'GetSessionToken')],
  ['another host', 0, (url) => url.replace(HOST, 'sts.amazonaws.com.example.com')],
  ['our host as a user name of another', 0, (url) => url.replace(HOST, `${HOST}:x@example.com`)],
  ['a further parameter', 0, (url) => `${url}&DurationSeconds=900`],
  ['a duplicate parameter in another case', 0, (url) => `${url}&x-amz-date=20260601T120000Z`],
  ['a cluster that is not signed', 0, (url) => url.replace('x-k8s-aws-id', 'x-another-header')],
  ['no encryption', 0, (url) => url.replace('https:', 'http:')],
])('answers 401 for a token that was changed: %s', async (_, asked, change) => {
  const sts = makeSts();
  const url = await presignedUrl();
  expect(change(url)).not.toBe(url);
  await expect(setUp(sts).ask(tokenOf(change(url)))).rejects.toThrow(/^Unauthorized$/);
  expect(sts.asked).toHaveLength(asked);
});

it('answers 401 for a redirect, 500 when STS is down', async () => {
  const token = tokenOf(await presignedUrl());
  const redirecting = setUp({ askSts: async () => ({ status: 302, body: '' }) });
  await expect(redirecting.ask(token)).rejects.toThrow(/^Unauthorized$/);
  const down = setUp({ askSts: async () => ({ status: 503, body: '' }) });
  await expect(down.ask(token)).rejects.toThrow('STS answered 503');
});

it.each([
  ['JSON', '{"Error":{"Code":"Throttling","Message":"Rate exceeded","Type":"Sender"},"RequestId":"r"}'],
  ['XML', '<ErrorResponse><Error><Type>Sender</Type><Code>ThrottlingException</Code></Error></ErrorResponse>'],
])('does not deny a valid token if STS throttles the requests of its account, in %s', async (_, body) => {
  const throttled = setUp({ askSts: async () => ({ status: 400, body }) });
  await expect(throttled.ask(tokenOf(await presignedUrl()))).rejects.toThrow('STS throttles the requests');
});

it('asks STS once for each token', async () => {
  const sts = makeSts();
  const { ask, wait } = setUp(sts);
  const first = tokenOf(await presignedUrl());
  await ask(first);
  wait(5 * 60_000);
  await ask(first);
  expect(sts.asked).toHaveLength(1);
  expect(sts.asked[0]?.headers).toEqual({ 'x-k8s-aws-id': CLUSTER_ID, accept: 'application/json' });
  expect(sts.asked[0]?.host).toBe(HOST);
  await ask(tokenOf(await presignedUrl({ at: NOW + 60_000 })));
  expect(sts.asked).toHaveLength(2);
});

it('writes an audit record for refusals, which do not reach the API', async () => {
  const refusing = setUp(makeSts());
  await expect(refusing.ask(tokenOf(await presignedUrl({ clusterId: 'another' })))).rejects.toThrow();
  const denying = setUp(makeSts('arn:aws:sts::111111111111:assumed-role/Stranger/session'));
  await denying.ask(tokenOf(await presignedUrl()));
  const record = { audit: true, method: 'GET', path: '/api/v1/namespaces' };
  expect(JSON.parse(refusing.lines[0] ?? '')).toMatchObject({ ...record, code: 401 });
  expect(JSON.parse(denying.lines[0] ?? '')).toMatchObject({
    ...record,
    code: 403,
    principal: 'arn:aws:iam::111111111111:role/Stranger',
  });
});

it('never logs a token', async () => {
  const { ask, lines } = setUp(makeSts());
  const url = await presignedUrl({ clusterId: 'another' });
  await expect(ask(tokenOf(url))).rejects.toThrow();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('STS refused the token with 403');
  expect(lines[0]).not.toMatch(/X-Amz|k8s-aws-v1|AKID/);
});

it.each([
  ['arn:aws:sts::1:x', undefined],
  ['arn:aws:sts::000000000000:assumed-role/Admin/session', 'arn:aws:iam::000000000000:role/Admin'],
  ['arn:aws-cn:sts::000000000000:assumed-role/Admin/s', 'arn:aws-cn:iam::000000000000:role/Admin'],
  ['arn:aws:iam::000000000000:user/path/ann', 'arn:aws:iam::000000000000:user/path/ann'],
  ['arn:aws:iam::000000000000:root', 'arn:aws:iam::000000000000:root'],
  ['arn:aws:sts::000000000000:federated-user/bob', 'arn:aws:sts::000000000000:federated-user/bob'],
  ['arn:aws:sts::000000000000:assumed-role/Admin', undefined],
  ['arn:aws:s3:::bucket', undefined],
])('maps the ARN %s to the name %s', (arn, canonical) => {
  if (canonical === undefined) expect(() => canonicalArn(arn)).toThrow('not an IAM principal');
  else expect(canonicalArn(arn)).toBe(canonical);
});

it('reads * in a pattern as any characters and everything else literally', () => {
  const groupsOf = makeGroupsOf({
    adminPrincipals: 'arn:aws:iam::000000000000:role/team-*, arn:aws:iam::000000000000:user/a.b',
    trustedAccounts: '',
  });
  const groups = (name: string) => groupsOf({ arn: `arn:aws:iam::000000000000:${name}`, account: '000000000000' });
  expect(groups('role/team-blue')).toContain('system:masters');
  expect(groups('user/a.b')).toContain('system:masters');
  expect(groups('user/aXb')).toBeUndefined();
  expect(groups('role/other')).toBeUndefined();
});

it('puts principals that were configured at deployment into the groups of editors and viewers, whatever their account', () => {
  const groupsOf = makeGroupsOf({
    adminPrincipals: ADMIN,
    editorPrincipals: 'arn:aws:iam::111111111111:role/team-*',
    viewerPrincipals: 'arn:aws:iam::111111111111:role/*',
    trustedAccounts: '',
  });
  const groups = (name: string) => groupsOf({ arn: `arn:aws:iam::111111111111:${name}`, account: '111111111111' });
  expect(groups('role/team-a')).toEqual(['windlass:editors', 'windlass:viewers', 'system:authenticated']);
  expect(groups('role/auditor')).toEqual(['windlass:viewers', 'system:authenticated']);
  expect(groups('user/x')).toBeUndefined();
});
