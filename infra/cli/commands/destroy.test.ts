import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { destroy } from './destroy.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
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

it('counts the clusters with the profile of the arguments, in its region', async () => {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    calls.push(request);
    request.resume().once('end', () => response.end(JSON.stringify({ clusters: ['default/one'] })));
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

  const code = await destroy(['--profile', 'prod', '-c=name=blue']);

  server.close();
  server.closeAllConnections();
  expect(code).toBe(1);
  expect(stderr.mock.calls.join('')).toContain('default/one');
  expect(calls.map(({ url }) => url)).toEqual(['/2015-03-31/functions/Windlass-blue-guard/invocations']);
  expect(calls[0]?.headers.authorization).toMatch(/Credential=PROD\/\d+\/eu-west-1\/lambda/);
});
