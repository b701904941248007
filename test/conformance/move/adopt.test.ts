import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { type Result, run } from '../quickstart/windlass.ts';
import { mutations, untilAtRest } from './moving.ts';

let laptop: TestLaptop;
let instances: string[];
const calls: string[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'windlass-adopt-'));
const pki = join(scratch, 'pki');

const FILES: Readonly<Record<string, [string, string]>> = {
  ca: ['ca.crt', 'ca.key'],
  etcd: ['etcd/ca.crt', 'etcd/ca.key'],
  proxy: ['front-proxy-ca.crt', 'front-proxy-ca.key'],
  sa: ['sa.pub', 'sa.key'],
};

/**
 * Saves the keys that a user would copy from a control plane machine. Here they are copied from the Secrets from which
 * the machine's files were written.
 */
const keepPki = async (): Promise<void> => {
  for (const [purpose, [certificate, key]] of Object.entries(FILES)) {
    const secret = await laptop.get<{ data: Record<string, string> }>(
      `/api/v1/namespaces/default/secrets/quickstart-${purpose}`,
    );
    for (const [file, field] of [
      [certificate, 'tls.crt'],
      [key, 'tls.key'],
    ] as const) {
      mkdirSync(dirname(join(pki, file)), { recursive: true });
      writeFileSync(join(pki, file), Buffer.from(secret?.data[field] ?? '', 'base64'), { mode: 0o600 });
    }
  }
};

const adopt = (...args: string[]): Promise<Result> => {
  const { access } = laptop;
  const kubeconfig = join(scratch, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(access), { mode: 0o600 });
  return run(process.execPath, ['infra/cli/windlass.ts', 'adopt', 'quickstart', '--kubeconfig', kubeconfig, ...args], {
    AWS_ENDPOINT_URL: access.awsUrl,
    AWS_REGION: access.region,
    AWS_ACCESS_KEY_ID: access.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.credentials.secretAccessKey,
    AWS_SESSION_TOKEN: access.credentials.sessionToken ?? '',
  });
};

beforeAll(async () => {
  laptop = await startTestLaptop({ onCall: ({ operation }) => void calls.push(operation) });
  expect(await laptop.applyFile('examples/quickstart.yaml')).toEqual([]);
  await untilAtRest(laptop, 'quickstart', 6);
  instances = (await laptop.instances()).sort();
  await keepPki();
  laptop = await laptop.redeploy();
}, LIMIT);
afterAll(() => laptop?.stop());

// The tests run in order.
describe('a cluster whose table is lost, without a backup', { timeout: LIMIT }, () => {
  it('is not adopted without its keys, which are named', async () => {
    const { code, stdout } = await adopt('--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('Secret quickstart-etcd needs etcd/ca.crt and etcd/ca.key');
    expect(await laptop.cluster('quickstart')).toBeUndefined();
  });

  it('is shown with what cannot be recovered, and is not adopted without the manifest of its network', async () => {
    const { code, stdout } = await adopt('--pki', pki, '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('AWSCluster quickstart needs its manifest');
    expect(stdout.match(/- Machine quickstart-/g)).toHaveLength(6);
    expect(stdout).toContain('KubeadmControlPlane/quickstart-control-plane: its kubeadmConfigSpec');
    expect(stdout).toContain('KubeadmConfigTemplate quickstart-md-0 needs its manifest');
    expect(await laptop.cluster('quickstart')).toBeUndefined();
  });

  it('is not written before confirmation', async () => {
    const { code, stdout } = await adopt('--pki', pki, '-f', 'examples/quickstart.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing was written.');
    expect(await laptop.cluster('quickstart')).toBeUndefined();
  });

  it('is adopted with its manifests, and with every machine that it has', async () => {
    calls.length = 0;
    const { code, stdout } = await adopt('--pki', pki, '-f', 'examples/quickstart.yaml', '--yes');
    expect([code, stdout]).toEqual([0, expect.stringContaining('objects were written')]);
    expect(stdout).not.toContain('Not to be recovered');
    await untilAtRest(laptop, 'quickstart', 6);

    expect((await laptop.instances()).sort()).toEqual(instances);
    const machines = await laptop.machines('quickstart');
    expect(machines.map(({ spec }) => spec.providerID?.split('/').at(-1)).sort()).toEqual(instances);
    expect(machines.map((machine) => conditionOf(machine, 'UpToDate')?.status)).toEqual(Array(6).fill('True'));
    expect(mutations(calls)).toEqual(['RegisterTargets']);
  });

  it('is managed as before: another machine joins it', async () => {
    const path = `${CORE}/machinedeployments/quickstart-md-0`;
    await laptop.api.send('PATCH', path, { spec: { replicas: 4 } }, 'application/merge-patch+json');
    await untilAtRest(laptop, 'quickstart', 7);
    expect(await laptop.instances()).toEqual(expect.arrayContaining(instances));
  });

  it('is not adopted a second time', async () => {
    const { code, stderr } = await adopt('--pki', pki, '-f', 'examples/quickstart.yaml', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Cluster/quickstart is there, and is not paused')]);
  });
});
