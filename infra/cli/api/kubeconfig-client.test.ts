import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { serverCertificate } from '../../local/engines/api-gateway/certificates.ts';
import { SIMULATED_ENDPOINT } from '../kubeconfig/kubeconfig.ts';
import { openContext, readKubeconfig } from './kubeconfig-client.ts';
import { writeKubeconfig } from './test-kubeconfig.ts';

it('sends its requests over one connection', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-kubeconfig-'));
  const { caPem, certificatePem, privateKeyPem } = await serverCertificate(directory, {
    clock: systemClock,
    random: systemRandom,
  });
  let connections = 0;
  const server = createServer({ cert: certificatePem, key: privateKeyPem }, (request, response) => {
    request.resume().once('end', () => response.end(JSON.stringify({ path: request.url })));
  }).on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = writeKubeconfig({
    server: address,
    'certificate-authority-data': Buffer.from(caPem).toString('base64'),
  });
  const { api } = openContext({ kubeconfig: file });
  const paths = [];
  for (const path of ['/api', '/apis', '/version']) paths.push(await api.send('GET', path));
  server.close();
  server.closeAllConnections();
  expect(paths).toEqual([{ path: '/api' }, { path: '/apis' }, { path: '/version' }]);
  expect(connections).toBe(1);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const write = (name: string, content: unknown): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-kubeconfig-')), name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const configOf = (name: string, context?: string) => ({
  clusters: [{ name: 'shared', cluster: { server: `https://${name}.example.com` } }],
  users: [{ name: 'shared', user: { token: name } }],
  contexts: [{ name, context: { cluster: 'shared', user: 'shared' } }],
  ...(context ? { 'current-context': context } : {}),
});

it('merges the files of KUBECONFIG like kubectl, and skips those that do not exist', () => {
  const [one, two] = [write('one', configOf('one')), write('two', configOf('two', 'two'))];
  vi.stubEnv('KUBECONFIG', ['/no/such/file', one, '', two].join(delimiter));
  const config = readKubeconfig({});
  expect(config.getContexts().map(({ name }) => name)).toEqual(['one', 'two']);
  expect(config.getCurrentContext()).toBe('two');
  expect(config.getCurrentCluster()?.server).toBe('https://one.example.com');
});

it('names files that do not exist or cannot be read', () => {
  vi.stubEnv('KUBECONFIG', '/no/such/file');
  expect(() => readKubeconfig({})).toThrow('no file in KUBECONFIG exists: /no/such/file');
  expect(() => readKubeconfig({ kubeconfig: tmpdir() })).toThrow(`the kubeconfig ${tmpdir()} cannot be read: EISDIR`);
  const damaged = write('damaged', 'clusters: [1');
  expect(() => readKubeconfig({ kubeconfig: damaged })).toThrow(`the kubeconfig ${damaged} cannot be read: `);
});

it.each([
  ['names the command that starts the API of this computer', 'http://127.0.0.1:1', '; run `windlass start`'],
  ['has no advice about another API', undefined, 'connect ECONNREFUSED 127.0.0.1:1'],
])('names an unreachable API, and %s', async (_, endpoint, end) => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'echo',
    args: ['{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t"}}'],
    env: endpoint ? [{ name: SIMULATED_ENDPOINT, value: endpoint }] : [],
    interactiveMode: 'Never',
  };
  const file = write('closed', {
    clusters: [{ name: 'shared', cluster: { server: 'https://127.0.0.1:1/k8s' } }],
    users: [{ name: 'shared', user: { exec } }],
    contexts: [{ name: 'one', context: { cluster: 'shared', user: 'shared' } }],
    'current-context': 'one',
  });
  const { api } = openContext({ kubeconfig: file });
  const error = await api.send('GET', '/version').catch((failure: Error) => failure.message);
  expect(error).toContain('the API https://127.0.0.1:1/k8s cannot be reached: connect ECONNREFUSED');
  expect(error).toContain(end);
  expect(String(error).includes('windlass start')).toBe(endpoint !== undefined);
});
