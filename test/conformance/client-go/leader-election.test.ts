import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type ManagementApi, startManagementApi, writeKubeconfig } from '../management-api.ts';
import { launch } from '../quickstart/windlass.ts';

/** Runs a manager of controller-runtime that uses a lease for leader election. `npm run conformance` builds it. */
const PROGRAM = process.env.WINDLASS_CLIENT_GO;

/** How long the server is down: less than the lease duration. */
const OUTAGE_MILLISECONDS = 3_000;

const LOOK_MILLISECONDS = 50;

describe.skipIf(!PROGRAM)('leader election', { timeout: LIMIT }, () => {
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'windlass-client-go-')), 'kubeconfig');
  const storage = createMemoryStorage();
  let server: ManagementApi | undefined;
  afterAll(() => server?.stop());

  const tellOfRestart = async (url: string): Promise<number> => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'restarted' } };
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await fetch(`${url}/api/v1/namespaces/default/configmaps`, request)).status;
  };

  it('keeps a manager as leader through a restart of the server, and elects another one when the first ends', async () => {
    server = await startManagementApi({ storage });
    writeKubeconfig(kubeconfig, server.url);
    const { said, ended } = launch(String(PROGRAM), [kubeconfig, 'leader-election']);
    const isLeading = async (): Promise<void> => {
      while (!said().includes('leading')) await systemClock.sleep(LOOK_MILLISECONDS);
    };
    await Promise.race([isLeading(), ended]);

    await server.stop();
    await systemClock.sleep(OUTAGE_MILLISECONDS);
    server = await startManagementApi({ storage, port: Number(new URL(server.url).port) });
    expect(await tellOfRestart(server.url)).toBe(201);

    const { code, stderr } = await ended;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(server.requests.filter((request) => /^PUT .*\/leases\/suite-leader/.test(request)).length).toBeGreaterThan(
      1,
    );
  });
});
