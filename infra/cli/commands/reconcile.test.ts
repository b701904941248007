import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeCluster } from './describe.ts';
import { reconcile } from './reconcile.ts';

it('escapes names in the URL', async () => {
  const urls: unknown[] = [];
  const server = createServer(({ url }, response) => {
    urls.push(url);
    response.writeHead(404).end(JSON.stringify({ kind: 'Status', code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'windlass-reconcile-')), 'kubeconfig');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{ name: 'one', cluster: { server: address, 'insecure-skip-tls-verify': true } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
    'current-context': 'one',
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const message = 'no Cluster quickstart?x=1 in namespace default';
  const options = { kubeconfig, events: 0, output: 'text', watch: false };

  await expect(reconcile('quickstart?x=1', options)).rejects.toThrow(message);
  await expect(describeCluster('quickstart?x=1', options)).rejects.toThrow('quickstart?x=1');

  server.close();
  server.closeAllConnections();
  const path = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/quickstart%3Fx%3D1';
  expect(urls).toEqual([path, path]);
});
