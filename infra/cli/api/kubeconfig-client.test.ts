import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom } from '../../../shared/random.ts';
import { serverCertificate } from '../../local/engines/api-gateway/certificates.ts';
import { openContext } from './kubeconfig-client.ts';

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
  const file = join(directory, 'kubeconfig');
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cluster = { server: address, 'certificate-authority-data': Buffer.from(caPem).toString('base64') };
  const config = {
    clusters: [{ name: 'one', cluster }],
    users: [{ name: 'one', user: { token: 'secret' } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
    'current-context': 'one',
  };
  writeFileSync(file, JSON.stringify(config));
  const { api } = openContext({ kubeconfig: file });
  const paths = [];
  for (const path of ['/api', '/apis', '/version']) paths.push(await api.send('GET', path));
  server.close();
  server.closeAllConnections();
  expect(paths).toEqual([{ path: '/api' }, { path: '/apis' }, { path: '/version' }]);
  expect(connections).toBe(1);
});
