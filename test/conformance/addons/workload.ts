/** A real kube-apiserver as the cluster to which add-ons are applied. */
import { type KubeApiserver, startKubeApiserver } from '../../../infra/cli/conformance/kube-apiserver.ts';
import { ANSWER_MILLISECONDS } from '../../../shared/test-patience.ts';
import type { ConnectWorkload } from '../../../shared/workload/client.ts';
import { makeConnectWorkload } from '../../../shared/workload/connect.ts';
import { targetOf } from '../../../shared/workload/test-target.ts';
import { type Answered, connect } from '../differential/endpoint.ts';

export interface RealWorkload {
  connect: ConnectWorkload;
  kubeconfig: string;
  send(method: string, path: string, body?: unknown, type?: string): Promise<Answered>;
  // biome-ignore lint/suspicious/noExplicitAny: objects of all kinds, whose fields the tests assert.
  get(path: string): Promise<any>;
  stop(): Promise<void>;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const kubeconfigOf = ({ url, ca, token }: KubeApiserver): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });

export const startRealWorkload = async (assets: string): Promise<RealWorkload> => {
  const server = await startKubeApiserver(assets);
  const { send, close } = connect(server);
  const kubeconfig = kubeconfigOf(server);
  const open = makeConnectWorkload({
    deadline: () => AbortSignal.timeout(ANSWER_MILLISECONDS),
    reach: { loopback: true },
  });
  return {
    kubeconfig,
    connect: () => open(targetOf(kubeconfig)),
    send: (method, path, body, type = 'application/json') =>
      send({ method, path, body: body && JSON.stringify(body), headers: body ? { 'content-type': type } : {} }),
    get: async (path) => {
      const { code, body } = await send({ method: 'GET', path });
      return code === 200 ? body : undefined;
    },
    stop: async () => {
      close();
      await server.stop();
    },
  };
};
