import { toKubeconfigSecret } from '../../../../shared/bootstrap/certificates/secrets.ts';
import { KINDS, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../../../shared/store/work/memory-pledges.ts';
import type { ConnectWorkload } from '../../../../shared/workload/client.ts';
import type { NodeDependencies } from '../dependencies.ts';
import { drainNode } from './drain-node.ts';

const CORE = 'cluster.x-k8s.io/v1beta2';
const AWS = 'infrastructure.cluster.x-k8s.io/v1beta2';

const meta = (name: string, extra: object = {}) => ({
  name,
  namespace: 'default',
  labels: { 'cluster.x-k8s.io/cluster-name': 'red', ...extra },
});
const machineOf = (name: string, nodeName: string, providerID: string, labels: object = {}): KubeObject =>
  ({
    apiVersion: CORE,
    kind: 'Machine',
    metadata: { ...meta(name, labels), finalizers: ['machine.cluster.x-k8s.io'] },
    spec: {
      clusterName: 'red',
      providerID,
      bootstrap: { dataSecretName: 'data' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name },
    },
    status: { nodeRef: { name: nodeName } },
  }) as KubeObject;

interface DrainWorldOptions {
  connect: ConnectWorkload;
  nodeName: string;
  /** The provider id of the node and of the machine. */
  providerId?: string;
}

/**
 * A machine in a cluster that is being deleted, and the step that drains its node; `connect` opens clients of the
 * cluster.
 */
export const makeDrainWorld = async ({ connect, nodeName, providerId = 'aws:///a/i-7' }: DrainWorldOptions) => {
  const clock = testClock('2026-01-01T00:00:00Z');
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
  );
  const put = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind) as (typeof KINDS)[number];
    return (await objects.ensure(resource, object)).object;
  };
  const cluster = await put({
    apiVersion: CORE,
    kind: 'Cluster',
    metadata: { ...meta('red'), finalizers: ['keep/it'] },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  } as KubeObject);
  await put({
    apiVersion: AWS,
    kind: 'AWSMachine',
    metadata: { ...meta('m-1'), finalizers: ['keep/it'] },
    spec: { instanceType: 't3.large' },
  } as KubeObject);
  await put(machineOf('cp', 'cp', 'aws:///a/cp', { 'cluster.x-k8s.io/control-plane': '' }));
  const { metadata } = await put(machineOf('m-1', nodeName, providerId));
  await put(toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  const key = { namespace: 'default', name: 'm-1' };
  await objects.delete(kinds.machine, key);
  const log = { touched: 0, released: 0 };
  const race = { atRelease: async () => {} };
  const work = {
    extendMachine: async () => true,
    releaseMachine: async () => {
      log.released += 1;
      await race.atRelease();
      return true;
    },
  };
  const touch = async () => {
    log.touched += 1;
  };
  const pledges = createMemoryPledges({ clock });
  const deps = { objects, clock, touch, pledges, work, connect } as unknown as NodeDependencies;
  const machine = { ...key, uid: metadata.uid ?? '', clusterName: 'red', clusterUid: cluster.metadata.uid ?? '' };
  const change = (fields: (current: Machine) => Machine) => objects.mutate(kinds.machine, key, fields);
  return {
    clock,
    objects,
    log,
    race,
    change,
    look: () => drainNode(deps)({ machine, holder: 'h' }),
    annotate: (annotations: Record<string, string> | undefined) =>
      change((current) => ({ ...current, metadata: { ...current.metadata, annotations } })),
    limit: (deletion: Machine['spec']['deletion']) =>
      change((current) => ({ ...current, spec: { ...current.spec, deletion } })),
    status: async () => (await objects.get(kinds.machine, key))?.status,
    deleting: async () => {
      const conditions = (await objects.get(kinds.machine, key))?.status?.conditions;
      return conditions?.find(({ type }) => type === 'Deleting');
    },
    reasons: async () => (await objects.list(kinds.event)).map(({ reason }) => reason).sort(),
  };
};
