import { describe, expect, it } from 'vitest';
import { readToken } from '../../../functions/authorizer/token.ts';
import { makeToken } from './token.ts';

const NOW = new Date('2030-01-02T03:04:05Z');

const request = {
  clusterId: 'Windlass.us-east-1.000000000000',
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-a-secret' },
};

const urlOf = (token: string): URL => new URL(Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString());

describe('a token', () => {
  it('passes the checks of the authorizer that precede the call to STS', async () => {
    const { token } = await makeToken(request, NOW);

    const { host, path } = readToken(token, ['sts.us-east-1.amazonaws.com'], NOW.getTime());

    expect(host).toBe('sts.us-east-1.amazonaws.com');
    expect(path).toContain('Action=GetCallerIdentity');
  });

  it('is bound to the installation by a signed header, and to one minute by its date', async () => {
    const { token } = await makeToken(request, NOW);

    const query = urlOf(token).searchParams;

    expect(query.get('X-Amz-SignedHeaders')).toBe('host;x-k8s-aws-id');
    expect(query.get('X-Amz-Expires')).toBe('60');
    expect(query.get('X-Amz-Date')).toBe('20300102T030405Z');
  });

  it('for another installation, or with other keys, has another signature', async () => {
    const credentials = { ...request.credentials, secretAccessKey: 'another' };
    const tokens = [request, { ...request, clusterId: 'Other' }, { ...request, credentials }];

    const signatures = await Promise.all(
      tokens.map(async (one) => urlOf((await makeToken(one, NOW)).token).searchParams.get('X-Amz-Signature')),
    );

    expect(new Set(signatures).size).toBe(3);
  });

  it('contains the session token of temporary credentials', async () => {
    const credentials = { ...request.credentials, sessionToken: 'a+b/c=' };

    const { token } = await makeToken({ ...request, credentials }, NOW);

    expect(urlOf(token).searchParams.get('X-Amz-Security-Token')).toBe('a+b/c=');
    expect(() => readToken(token, ['sts.us-east-1.amazonaws.com'], NOW.getTime())).not.toThrow();
  });

  it('expires for the client before STS refuses it', async () => {
    const { token, expiresAt } = await makeToken(request, NOW);

    const until = readToken(token, ['sts.us-east-1.amazonaws.com'], NOW.getTime()).expiresAt;

    expect(until - expiresAt.getTime()).toBe(60_000);
  });
});
