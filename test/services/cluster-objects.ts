/** The objects of a cluster in an account, in memory, and the events that a pass records in the workload cluster. */
import { toKubeconfigSecret } from '../../shared/bootstrap/certificates/secrets.ts';
import { type Cluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { testClock } from '../../shared/store/test-table.ts';
import { type AnyObject, type WorkloadClient, WorkloadRefusedError } from '../../shared/workload/client.ts';

const KEY = { namespace: 'default', name: 'red' };

export const startClusterObjects = async (vpcId: string, duties: string) => {
  const clock = testClock();
  const objects = withMemory(
    createObjectClient(
      createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom }),
    ),
    createMemoryRecords(),
  );
  const put = async (object: unknown) => {
    const resource = KINDS.find(({ kind }) => kind === (object as KubeObject).kind);
    if (!resource) throw new Error(`there is no kind ${(object as KubeObject).kind}`);
    return (await objects.ensure(resource, object as KubeObject)).object;
  };
  const cluster = await put({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { ...KEY, annotations: { 'windlass.dev/cloud-controller': duties } },
    spec: {
      clusterNetwork: { pods: { cidrBlocks: ['192.168.0.0/16'] } },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' },
    },
  });
  await put({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: KEY,
    spec: { region: 'us-east-1', network: { vpc: { id: vpcId } } },
  });
  await put(toKubeconfigSecret('red', 'default', 'a kubeconfig'));
  const read = async (): Promise<Cluster | undefined> => objects.get(kinds.cluster, KEY);
  return {
    objects,
    clock,
    /** The input of the step. */
    input: { cluster: { ...KEY, uid: cluster.metadata.uid ?? '' } },
    annotate: (annotations: Record<string, string>) =>
      objects.mutate(kinds.cluster, KEY, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations },
      })),
    setPodBlocks: (...cidrBlocks: string[]) =>
      objects.mutate(kinds.cluster, KEY, ({ spec: { clusterNetwork: _, ...spec }, ...current }) => ({
        ...current,
        spec: { ...spec, ...(cidrBlocks.length > 0 ? { clusterNetwork: { pods: { cidrBlocks } } } : {}) },
      })),
    conditionOf: async (wanted: string) => (await read())?.status?.conditions?.find(({ type }) => type === wanted),
    tag: (additionalTags: Record<string, string>) =>
      objects.mutate(kinds.awsCluster, KEY, (current) => ({ ...current, spec: { ...current.spec, additionalTags } })),
    infrastructure: () => objects.get(kinds.awsCluster, KEY),
  };
};

/** Events in the workload cluster. */
export const makeEvents = () => {
  const events = new Map<string, AnyObject>();
  let isRefused = false;
  const api: Pick<WorkloadClient, 'read' | 'create' | 'replace'> = {
    read: async (object) => events.get(object.metadata.name),
    create: async (object) => {
      if (isRefused) throw new WorkloadRefusedError({ code: 403, reason: 'Forbidden', causes: [] });
      events.set(object.metadata.name, object);
      return [];
    },
    replace: async (object) => {
      events.set(object.metadata.name, object);
      return object;
    },
  };
  /** The reason and message of each event, as recorded. */
  return {
    api,
    told: () => [...events.values()].map(({ reason, message }) => `${reason}: ${message}`),
    /** From now on the API server refuses new events, as in a namespace that is being deleted. */
    refuse: () => {
      isRefused = true;
    },
  };
};
