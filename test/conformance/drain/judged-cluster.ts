/**
 * The two API servers on which drains are compared: a real kube-apiserver and that of the simulated machines. Neither
 * has controllers.
 */
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { WORKLOAD_KINDS } from '../../../infra/local/machines/workload-cluster/served-kinds.ts';
import { systemClock } from '../../../shared/clock.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import { createApiServer } from '../../../shared/kube-api/server/api-server.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { systemRandom } from '../../../shared/random.ts';
import { workloadClient } from '../../../shared/workload/connect.ts';
import type { RealWorkload } from '../addons/workload.ts';
import { connect } from '../differential/endpoint.ts';

export const MERGE = 'application/merge-patch+json';
export const PODS = '/api/v1/namespaces/default/pods';
export const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
export const NODE = 'ip-10-0-0-7';

/** A cluster under comparison, with the same interface for both servers. */
export type JudgedCluster = Omit<RealWorkload, 'get'>;

const kubeconfigFor = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    // The server listens on loopback without TLS, which clients accept only with this setting.
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 'nobody' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

/**
 * Starts the API of a simulated workload cluster without its controllers, because the kube-apiserver has none either.
 */
export const startSimulatedWorkload = async (): Promise<JudgedCluster> => {
  const api = createApiServer({
    resources: WORKLOAD_KINDS,
    storage: createMemoryStorage(),
    clock: systemClock,
    random: systemRandom,
    version: 'v1.35.4',
    watch: { pollMilliseconds: 100, maxSeconds: 30 },
  });
  await ensureNamespaces(api.registry);
  const user = { name: 'conformance', groups: ['system:masters'] };
  const started = await new Promise<{ port: number; close(): Promise<void> }>((resolve) => {
    const server = serve(
      { fetch: (request) => api.fetch(request, user), hostname: '127.0.0.1', port: 0 },
      ({ port }: AddressInfo) => {
        const close = (): Promise<void> =>
          new Promise((closed) => {
            server.close(() => closed());
            if ('closeAllConnections' in server) server.closeAllConnections();
          });
        resolve({ port, close });
      },
    );
  });
  const url = `http://127.0.0.1:${started.port}`;
  const { send, close } = connect({ url });
  const kubeconfig = kubeconfigFor(url);
  return {
    kubeconfig,
    // The server listens without TLS, which Windlass's own clients of workload clusters refuse.
    connect: () =>
      workloadClient({
        send: async ({ method, path, body }) => {
          const headers: Record<string, string> = body ? { 'content-type': body.type } : {};
          const answer = await send({ method, path, body: body && JSON.stringify(body.value), headers });
          return { code: answer.code, text: JSON.stringify(answer.body) };
        },
        run: () => Promise.reject(new Error('no commands are run here')),
        close: async () => {},
      }),
    send: (method, path, body, type = 'application/json') =>
      send({ method, path, body: body && JSON.stringify(body), headers: body ? { 'content-type': type } : {} }),
    stop: async () => {
      close();
      await started.close();
    },
  };
};

/** Sends a request that must succeed. */
export const must = async (cluster: JudgedCluster, ...asked: Parameters<JudgedCluster['send']>): Promise<void> => {
  const { code, body } = await cluster.send(...asked);
  if (code >= 300) throw new Error(`${asked[0]} ${asked[1]}: ${code} ${JSON.stringify(body)}`);
};

/** Creates a running pod on the node, ready or not. */
export const addPod = async (
  cluster: JudgedCluster,
  name: string,
  { ready = 'True', phase = 'Running', metadata = {}, spec = {} } = {},
): Promise<void> => {
  const containers = [{ name: 'c', image: 'web' }];
  const labels = { app: 'web' };
  await must(cluster, 'POST', PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ...metadata },
    spec: { nodeName: NODE, containers, ...spec },
  });
  const conditions = [{ type: 'Ready', status: ready }];
  await must(cluster, 'PATCH', `${PODS}/${name}/status`, { status: { phase, conditions } }, MERGE);
};

/** Writes the status that the disruption controller would write, because neither side has one. */
export const setBudget = (cluster: JudgedCluster, name: string, status: object): Promise<void> =>
  must(
    cluster,
    'PATCH',
    `${BUDGETS}/${name}/status`,
    { status: { observedGeneration: 1, expectedPods: 3, ...status } },
    MERGE,
  );

export const addBudget = async (cluster: JudgedCluster, name: string, status?: object, spec: object = {}) => {
  const selector = { matchLabels: { app: 'web' } };
  await must(cluster, 'POST', BUDGETS, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector, minAvailable: 3, ...spec },
  });
  if (status) await setBudget(cluster, name, status);
};

/** Deletes a pod as a kubelet does after the pod has terminated. */
export const finish = (cluster: JudgedCluster, name: string): Promise<void> =>
  must(cluster, 'DELETE', `${PODS}/${name}`, { gracePeriodSeconds: 0 });

export const removeAll = async (cluster: JudgedCluster): Promise<void> => {
  await cluster.send('DELETE', `${PODS}?gracePeriodSeconds=0`);
  await cluster.send('DELETE', BUDGETS);
};
