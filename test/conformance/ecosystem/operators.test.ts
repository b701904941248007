import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT } from '../../../shared/test-patience.ts';
import { type ManagementApi, startManagementApi, writeKubeconfig } from '../management-api.ts';
import { run, until } from '../quickstart/windlass.ts';
import { newFolder } from './manifests.ts';

/** The folder of a virtual environment with kopf and kr8s, which `npm run conformance` creates. */
const PYTHON = process.env.WINDLASS_OPERATORS;
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';
const EVENTS = '/api/v1/namespaces/default/events';

const cluster = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name },
  },
});

describe.skipIf(!PYTHON)('operators in Python', { timeout: LIMIT }, () => {
  const kubeconfig = join(newFolder(), 'kubeconfig');
  let server: ManagementApi;
  beforeAll(async () => {
    server = await startManagementApi({ watch: { pollMilliseconds: 50, maxSeconds: 2, keepAliveMilliseconds: 200 } });
    writeKubeconfig(kubeconfig, server.url);
  });
  afterAll(() => server?.stop());

  const program = (name: string): string => join(String(PYTHON), 'bin', name);
  const send = (method: string, path: string, body?: object): Promise<Response> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { 'content-type': type };
    return fetch(`${server.url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  };
  const annotationsOf = async (name: string): Promise<Record<string, string>> => {
    const { metadata } = (await (await send('GET', `${CLUSTERS}/${name}`)).json()) as {
      metadata: { annotations?: Record<string, string> };
    };
    return metadata.annotations ?? {};
  };

  it('work with kr8s', async () => {
    const script = join(import.meta.dirname, 'kr8s_suite.py');
    const { code, stderr } = await run(program('python'), ['-B', script, kubeconfig]);
    expect(code, stderr).toBe(0);
  });

  describe('made with kopf', () => {
    let operator: ChildProcess;
    let said = '';
    beforeAll(() => {
      const script = join(import.meta.dirname, 'kopf_operator.py');
      const words = ['run', '--standalone', '-n', 'default', script];
      const env = { ...process.env, KUBECONFIG: kubeconfig, PYTHONDONTWRITEBYTECODE: '1' };
      operator = spawn(program('kopf'), words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [operator.stdout, operator.stderr]) stream?.on('data', (part) => (said += String(part)));
    });
    afterAll(() => operator?.kill('SIGKILL'));

    it('see a cluster, and block its deletion with a finalizer', async () => {
      expect((await send('POST', CLUSTERS, cluster('kopf'))).status).toBe(201);
      const isSeen = async () => (await annotationsOf('kopf'))['example.com/created'] === 'yes';
      await until(`the operator sees the cluster; it says ${said}`, isSeen);
    });

    it('see what changed', async () => {
      expect((await send('PATCH', `${CLUSTERS}/kopf`, { spec: { paused: true } })).status).toBe(200);
      const isSeen = async () => (await annotationsOf('kopf'))['example.com/paused'] === 'None to True';
      await until('the operator sees the pause', isSeen);
    });

    it('allow its deletion, and report it in an event', async () => {
      expect((await send('DELETE', `${CLUSTERS}/kopf`)).status).toBe(200);
      await until('the cluster is gone', async () => (await send('GET', `${CLUSTERS}/kopf`)).status === 404);
      await until('the event is there', async () => (await (await send('GET', EVENTS)).text()).includes('Released'));
      expect(said).not.toMatch(/ERROR|Traceback/);
    });
  });
});
