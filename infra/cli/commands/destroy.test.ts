import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { destroy } from './destroy.ts';

let server: Server;
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  server.close();
  server.closeAllConnections();
});

const PROFILES = `[default]
aws_access_key_id = DEFAULT
aws_secret_access_key = secret
region = us-east-1
[prod]
aws_access_key_id = PROD
aws_secret_access_key = secret
region = eu-west-1
`;

/** Lambda, with the profiles of the user who calls it. */
const setUp = async (answer: (outgoing: ServerResponse) => void) => {
  const calls: IncomingMessage[] = [];
  server = createServer((request, response) => {
    calls.push(request);
    request.resume().once('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-profiles-')), 'credentials');
  writeFileSync(file, PROFILES);
  for (const name of ['AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
  vi.stubEnv('AWS_CONFIG_FILE', file);
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const cdk = vi.fn(async (_command: string, _args: readonly string[]) => 0);
  return { calls, cdk, said: () => stderr.mock.calls.join('') };
};

const clusters = (names: readonly string[]) => (outgoing: ServerResponse) =>
  void outgoing.end(JSON.stringify({ clusters: names }));

it('counts the clusters with the credentials and in the region of the profile in the arguments', async () => {
  const { calls, cdk, said } = await setUp(clusters(['default/one']));
  expect(await destroy(['--profile', 'prod', '-c=name=blue'], cdk)).toBe(1);
  expect(said()).toContain('default/one');
  expect(cdk).not.toHaveBeenCalled();
  expect(calls.map(({ url }) => url)).toEqual(['/2015-03-31/functions/Windlass-blue-guard/invocations']);
  expect(calls[0]?.headers.authorization).toMatch(/Credential=PROD\/\d+\/eu-west-1\/lambda/);
});

it('deletes a stack without clusters', async () => {
  const { cdk, said } = await setUp(clusters([]));
  expect(await destroy(['--force'], cdk)).toBe(0);
  expect(cdk.mock.calls).toEqual([['destroy', ['--force']]]);
  expect(said()).toBe('');
});

it('deletes a stack whose creation or deletion failed halfway', async () => {
  const { cdk, said } = await setUp((outgoing) => {
    outgoing.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' });
    outgoing.end('{"Message":"Function not found","Type":"User"}');
  });
  expect(await destroy([], cdk)).toBe(0);
  expect(cdk).toHaveBeenCalledOnce();
  expect(said()).toContain('Windlass-guard, which counts the clusters, does not exist');
});

it('deletes nothing if the clusters cannot be counted', async () => {
  const { cdk } = await setUp((outgoing) => {
    outgoing.writeHead(200, { 'x-amz-function-error': 'Unhandled' });
    outgoing.end('{"errorMessage":"no"}');
  });
  await expect(destroy([], cdk)).rejects.toThrow('could not be counted');
  expect(cdk).not.toHaveBeenCalled();
});
