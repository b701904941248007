/** For tests: a management API in memory with the cluster `red`, and the API of the workload cluster. */
import { toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { type Cluster, type ClusterResourceSet, KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createTestServer } from '../../../shared/kube-api/server/test-server.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { TEST_KINDS } from '../../../shared/kube-api/test-kinds.ts';
import { systemRandom } from '../../../shared/random.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import type { Send } from '../../../shared/workload/answers.ts';
import { anyObjects } from '../../../shared/workload/any-object.ts';
import type { ConnectWorkload, WorkloadClient } from '../../../shared/workload/client.ts';
import { addons } from './addons.ts';

export const NAMESPACE = 'default';
const ADDONS = 'addons.cluster.x-k8s.io/v1beta2';

/** The workload cluster: kinds can be added, and it can stop responding. */
const makeWorkload = async () => {
  const { call } = await createTestServer({ resources: [...TEST_KINDS, kinds.configMap] });
  const state = { answers: true, withoutGizmos: false, writes: [] as string[] };
  const send: Send = async ({ method, path, body }) => {
    if (!state.answers) throw new Error('connect ECONNREFUSED');
    if (state.withoutGizmos && path.startsWith('/apis/toys')) return { code: 404, text: '{}' };
    if (method !== 'GET') state.writes.push(`${method} ${path.split('?')[0]}`);
    const answer = await call(method, path, body && JSON.stringify(body.value), body && { 'content-type': body.type });
    const warning = answer.headers.get('warning');
    return { code: answer.code, text: JSON.stringify(answer.body), warnings: warning ? [warning] : [] };
  };
  const client = { ...anyObjects(send), close: async () => {} } as Partial<WorkloadClient> as WorkloadClient;
  return { call, state, client };
};

/** `connect` connects to another cluster than the one in memory. */
export const makeAddonsWorld = async (connect?: ConnectWorkload) => {
  const clock = testClock();
  const registry = createRegistry({
    resources: KINDS,
    storage: createMemoryStorage(),
    clock,
    random: systemRandom,
    ownership: { index: createMemoryOwnerIndex() },
  });
  const objects = createObjectClient(registry);
  const workload = await makeWorkload();
  const put = async <T extends KubeObject>(object: object): Promise<T> => {
    const resource = KINDS.find(({ kind }) => kind === (object as KubeObject).kind);
    if (!resource) throw new Error('no such kind');
    return (await objects.ensure(resource, object as KubeObject)).object as T;
  };
  const addCluster = async (name: string, labels: Record<string, string>) => {
    const cluster = await put<Cluster>({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { namespace: NAMESPACE, name, labels, finalizers: ['cluster.cluster.x-k8s.io'] },
      spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name } },
    });
    await put(toKubeconfigSecret(name, NAMESPACE, `kubeconfig of ${name}`));
    await reach(name, 'True');
    return { namespace: NAMESPACE, name, uid: cluster.metadata.uid ?? '' };
  };
  /** Sets the result of the pass's probe. */
  const reach = (name: string, status: 'True' | 'False') =>
    objects.mutate(kinds.cluster, { namespace: NAMESPACE, name }, (current) => ({
      ...current,
      status: {
        ...current.status,
        conditions: [
          {
            type: 'RemoteConnectionProbe',
            status,
            reason: 'Probed',
            message: status === 'True' ? '' : 'connect ETIMEDOUT',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    }));
  const red = await addCluster('red', { cni: 'x' });
  const pass = (cluster = red) =>
    addons({ objects, clock, connect: connect ?? (() => workload.client) })({ cluster, wanted: 1, holder: 'h' });
  const putConfigMap = (name: string, data: Record<string, string>, labels = {}) =>
    put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: NAMESPACE, name, labels }, data });
  const addSet = (name: string, spec: Partial<ClusterResourceSet['spec']>) =>
    put<ClusterResourceSet>({
      apiVersion: ADDONS,
      kind: 'ClusterResourceSet',
      metadata: { namespace: NAMESPACE, name },
      spec: { clusterSelector: { matchLabels: { cni: 'x' } }, resources: [{ kind: 'ConfigMap', name }], ...spec },
    });
  const setOf = (name: string) => objects.get(kinds.clusterResourceSet, { namespace: NAMESPACE, name });
  const bindingOf = (name: string) => objects.get(kinds.clusterResourceSetBinding, { namespace: NAMESPACE, name });
  const applied = async (name: string) =>
    (await setOf(name))?.status?.conditions?.find(({ type }) => type === 'ResourcesApplied');
  return {
    ...{ objects, registry, clock, workload, put, addCluster, reach, red, pass },
    ...{ putConfigMap, addSet, setOf, bindingOf, applied },
  };
};

/** A manifest of a ConfigMap with one value. */
export const manifest = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: ${value}}\n`;
