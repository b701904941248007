import { expect, it } from 'vitest';
import { HOST, NOW, presignedUrl, tokenOf } from './fixtures.ts';
import { readToken } from './token.ts';

const MINUTE = 60_000;

const refusal = async (token: string | Promise<string>, now = NOW): Promise<string | undefined> => {
  try {
    readToken(await token, [HOST], now);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** A good URL after `change`, as a token. */
const changed = async (change: (url: string) => string): Promise<string> => tokenOf(change(await presignedUrl()));

it('reads the target of the request and its expiry', async () => {
  const url = await presignedUrl();
  const request = readToken(tokenOf(url), [HOST], NOW);
  expect(request).toEqual({ host: HOST, path: url.slice(`https://${HOST}`.length), expiresAt: NOW + 15 * MINUTE });
});

it('honours a token for 15 minutes whatever its own expiry says', async () => {
  const token = tokenOf(await presignedUrl({ expiresIn: 60 }));
  expect(await refusal(token, NOW + 15 * MINUTE - 1)).toBeUndefined();
  expect(await refusal(token, NOW + 15 * MINUTE)).toBe('the token has expired');
});

it('accepts parameter names in any case, as STS does', async () => {
  expect(await refusal(changed((url) => url.replace('X-Amz-Date', 'x-amz-date')))).toBeUndefined();
});

it.each<[reason: string, change: (url: string) => string]>([
  ['the URL is not https', (url) => url.replace('https:', 'http:')],
  ['the host is not the STS endpoint of this region', (url) => url.replace(HOST, 'sts.eu-west-1.amazonaws.com')],
  ['the host is not the STS endpoint of this region', (url) => url.replace(HOST, `${HOST}.example.com`)],
  ['the host is not the STS endpoint of this region', (url) => url.replace(HOST, `${HOST}:8443`)],
  ['the host is not the STS endpoint of this region', (url) => url.replace(HOST, `${HOST}@example.com`)],
  ['the URL is more than host, path "/" and query', (url) => url.replace(HOST, `someone@${HOST}`)],
  ['the URL is more than host, path "/" and query', (url) => url.replace(HOST, `${HOST}:443`)],
  ['the URL is more than host, path "/" and query', (url) => url.replace('/?', '/other?')],
  ['the URL is more than host, path "/" and query', (url) => url.replace('/?', '/a/../?')],
  ['the URL has a fragment', (url) => `${url}#part`],
  ['the query has a parameter that does not belong to the request', (url) => `${url}&RoleArn=x`],
  ['the query has a parameter twice', (url) => `${url}&action=GetCallerIdentity`],
  ['the query lacks x-amz-signature', (url) => url.replace(/&X-Amz-Signature=\w+/, '')],
  ['the action is not GetCallerIdentity', (url) => url.replace('GetCallerIdentity', 'AssumeRole')],
  ['the cluster is not signed', (url) => url.replace('x-k8s-aws-id', 'x-other')],
  ['x-amz-expires is not within 0 and 900', (url) => url.replace('Expires=60', 'Expires=901')],
  ['x-amz-expires is not within 0 and 900', (url) => url.replace('Expires=60', 'Expires=-1')],
  ['x-amz-date is not a date', (url) => url.replace(/X-Amz-Date=\w+/, 'X-Amz-Date=today')],
])('refuses a changed URL with "%s"', async (reason, change) => {
  expect(await refusal(changed(change))).toBe(reason);
});

it.each([
  ['the token is too long', `k8s-aws-v1.${'a'.repeat(4096)}`],
  ['the token does not begin with k8s-aws-v1.', 'aGVsbG8'],
  ['the token is not base64url', 'k8s-aws-v1.a+b/c='],
  ['the token holds no URL', `k8s-aws-v1.${Buffer.from('hello').toString('base64url')}`],
])('refuses with "%s" a string that is not a token', async (reason, token) => {
  expect(await refusal(token)).toBe(reason);
});
