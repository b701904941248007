import { mkdtempSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, ListStacksCommand } from '@aws-sdk/client-cloudformation';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { serverCertificate } from '../../local/engines/api-gateway/certificates.ts';
import { openContext, readKubeconfig } from './kubeconfig-client.ts';
import { proxyFor, throughProxy } from './proxy.ts';
import { writeKubeconfig } from './test-kubeconfig.ts';

beforeEach(() => {
  for (const name of ['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'])
    for (const one of [name, name.toUpperCase()]) vi.stubEnv(one, undefined);
});

const opened: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of opened.splice(0)) server.close();
});

const listen = async (server: Server): Promise<number> => {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A proxy that connects every request to a port of this computer, or refuses all, and the hosts in the requests. */
const openProxy = async (port?: number): Promise<{ url: string; asked: string[] }> => {
  const asked: string[] = [];
  const proxy = createProxy().on('connect', ({ url }, socket) => {
    asked.push(url ?? '');
    if (port === undefined) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const other = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(other).pipe(socket);
    });
    socket.on('error', () => other.destroy());
    return undefined;
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, asked };
};

it('sends requests to the Kubernetes API through the proxy', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-proxy-'));
  const files = await serverCertificate(directory, { clock: systemClock, random: systemRandom });
  const server = createServer({ cert: files.certificatePem, key: files.privateKeyPem }, (request, response) => {
    response.end(JSON.stringify({ path: request.url, token: request.headers.authorization }));
  });
  const { url, asked } = await openProxy(await listen(server));
  vi.stubEnv('HTTPS_PROXY', url);
  const kubeconfig = writeKubeconfig({
    server: 'https://api.example.com:6443',
    'tls-server-name': 'localhost',
    'certificate-authority-data': Buffer.from(files.caPem).toString('base64'),
  });
  const { api } = openContext({ kubeconfig });
  const answers = [await api.send('GET', '/api'), await api.send('GET', '/apis')];
  server.closeAllConnections();
  expect(answers).toEqual(['/api', '/apis'].map((path) => ({ path, token: 'Bearer secret' })));
  expect(new Set(asked)).toEqual(new Set(['api.example.com:6443']));
});

it('prefers the proxy-url in the kubeconfig', () => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.example.com:3128');
  const kubeconfig = writeKubeconfig({ server: 'https://api.example.com', 'proxy-url': 'socks5://other.example.com' });
  expect(readKubeconfig({ kubeconfig }).getCurrentCluster()?.proxyUrl).toBe('socks5://other.example.com');
});

const listStacks = async (): Promise<void> => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  const client = new CloudFormationClient({ region: 'eu-west-1', credentials, maxAttempts: 1, ...throughProxy() });
  await expect(client.send(new ListStacksCommand({}))).rejects.toThrow();
  client.destroy();
};

it.each(['HTTPS_PROXY', 'all_proxy'])('sends requests to AWS through the proxy in %s', async (name) => {
  const { url, asked } = await openProxy();
  vi.stubEnv(name, url);
  await listStacks();
  expect(asked).toEqual(['cloudformation.eu-west-1.amazonaws.com:443']);
});

it('sets no time limit, because the sweep that a command starts may take minutes', () => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.example.com:3128');
  expect(Object.keys(throughProxy().requestHandler ?? {})).toEqual(['httpsAgent']);
});

it('gives clients of AWS no settings without a proxy', () => {
  expect(throughProxy()).toEqual({});
});

it.each([
  ['https://api.example.com', 'http://proxy.example.com:3128'],
  ['https://api.internal.example.com', undefined],
  ['https://localhost:6443', undefined],
  ['https://127.0.0.1:6443', undefined],
  ['https://[::1]:6443', undefined],
])('sends requests to %s through %s', (url, proxy) => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.example.com:3128');
  vi.stubEnv('NO_PROXY', '.internal.example.com');
  expect(proxyFor(url)).toBe(proxy);
});

it('speaks HTTP with a proxy that is given as host and port', () => {
  vi.stubEnv('HTTPS_PROXY', 'proxy.example.com:3128');
  expect(proxyFor('https://api.example.com')).toBe('http://proxy.example.com:3128');
});
