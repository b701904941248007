import { makeNodeSteps } from '../../../functions/machine/node/steps.ts';
import type { StepContext } from '../../../functions/step.ts';
import { toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { formatTime, type KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { withLeavesEtcdSince } from '../../../shared/plan/control-plane/leaving-since.ts';
import { HEALTHY } from '../../../shared/plan/control-plane/test-healthy.ts';
import { systemRandom } from '../../../shared/random.ts';
import type { TestDatabase } from '../../../shared/store/test-table.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { createWorkStore } from '../../../shared/store/work/work-store.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import type { ProgressResult } from '../../../shared/work/payloads.ts';
import { type WorkloadClient, WorkloadUnreachableError } from '../../../shared/workload/client.ts';
import type { EtcdSubject } from './subject.ts';

const CLUSTER = 'red';
const meta = (name: string) => ({ name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': CLUSTER } });
const REF = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine' };

const clusterObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: CLUSTER, namespace: 'default' },
  spec: {
    infrastructureRef: { apiGroup: REF.apiGroup, kind: 'AWSCluster', name: CLUSTER },
    controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: CLUSTER },
  },
} as KubeObject;

const controlPlaneObject = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmControlPlane',
  metadata: meta(CLUSTER),
  spec: {
    replicas: 3,
    version: 'v1.35.4',
    machineTemplate: { spec: { infrastructureRef: { ...REF, kind: 'AWSMachineTemplate', name: 't' } } },
  },
  status: { initialization: { controlPlaneInitialized: true } },
} as KubeObject;

/** A control plane machine. If it has joined, its node has the same name as the machine. */
const machineObject = (name: string, joined: boolean): KubeObject =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      ...meta(name),
      labels: { ...meta(name).labels, 'cluster.x-k8s.io/control-plane': '' },
      finalizers: ['machine.cluster.x-k8s.io'],
    },
    spec: {
      clusterName: CLUSTER,
      bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name } },
      infrastructureRef: { ...REF, name },
    },
    status: {
      addresses: [
        // All members run at this address, which identifies the member of a machine that has not joined yet.
        ...(joined ? [] : [{ type: 'InternalIP', address: '127.0.0.1' }]),
        { type: 'InternalDNS', address: name },
      ],
      ...(joined ? { nodeRef: { name }, conditions: HEALTHY } : {}),
    },
  }) as KubeObject;

/** The machines of a control plane whose etcd runs in `etcd`, and the workflow step that removes their members. */
export const makeMachines = async (database: TestDatabase, etcd: EtcdSubject, names: readonly string[]) => {
  const clock = systemClock;
  const storage = createMemoryStorage();
  const objects = createObjectClient(createRegistry({ resources: KINDS, storage, clock, random: systemRandom }));
  const put = async (object: KubeObject) => {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (!resource) throw new Error(object.kind);
    return (await objects.ensure(resource, object)).object;
  };
  const cluster = await put(clusterObject);
  await put(controlPlaneObject);
  await put(toKubeconfigSecret(CLUSTER, 'default', 'a kubeconfig'));
  for (const name of names) await put(machineObject(name, true));
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const silent = new Set<string>();
  const execute: WorkloadClient['execute'] = async (command) => {
    if (silent.has(command.pod)) throw new WorkloadUnreachableError(`pod ${command.pod}: HTTP 500`);
    return etcd.execute(command);
  };
  const client = { execute, close: async () => {} } as Partial<WorkloadClient> as WorkloadClient;
  const pledges = createMemoryPledges({ clock });
  const steps = makeNodeSteps({ objects, work, clock, pledges, connect: () => client, touch: async () => {} });
  const key = (name: string) => ({ namespace: 'default', name });

  return {
    /** Creates a machine that has no node yet. */
    add: (name: string) => put(machineObject(name, false)),
    /** Simulates a kubelet that no longer executes commands, and a removal that has waited for it for two minutes. */
    silence: async (name: string) => {
      silent.add(`etcd-${name}`);
      const since = formatTime(new Date(clock.now().getTime() - 120_000));
      await objects.mutate(kinds.machine, key(name), (machine) => withLeavesEtcdSince(machine, since));
    },
    /** Records that the machine's node has joined and that all its components are healthy. */
    observe: (name: string) =>
      objects.mutate(kinds.machine, key(name), (machine) => ({
        ...machine,
        status: { ...machine.status, nodeRef: { name }, conditions: HEALTHY },
      })),
    /**
     * Deletes the machine and runs the step that removes its member. Returns why the step still waits after four
     * checks; undefined if the member was removed. If a busy etcd does not respond, the check does not count, because a
     * later check of the workflow would query it again.
     */
    leave: async (name: string): Promise<string | undefined> => {
      const machine = await objects.get(kinds.machine, key(name));
      if (!machine) throw new Error(`there is no machine ${name}`);
      await objects.delete(kinds.machine, key(name));
      const ref = {
        ...key(name),
        uid: machine.metadata.uid ?? '',
        clusterName: CLUSTER,
        clusterUid: cluster.metadata.uid ?? '',
      };
      const input = { machine: ref, holder: 'conformance' };
      await work.beginMachine(ref, input.holder, 120);
      const whyOf = async (): Promise<string | undefined> =>
        (await objects.get(kinds.machine, key(name)))?.status?.conditions?.find(({ type }) => type === 'Deleting')
          ?.message;
      const deadline = clock.now().getTime() + PATIENCE_SECONDS * 1000;
      for (let look = 0; look < 4; ) {
        const { progress } = (await steps.leaveEtcd(input, {} as StepContext)) as ProgressResult;
        const isSilent = progress !== 'done' && (await whyOf())?.startsWith('etcd did not ');
        if (!isSilent || clock.now().getTime() > deadline) look += 1;
        if (progress !== 'done') continue;
        await objects.mutate(kinds.machine, key(name), (gone) => ({
          ...gone,
          metadata: { ...gone.metadata, finalizers: [] },
        }));
        return undefined;
      }
      return whyOf();
    },
    events: async (): Promise<string[]> =>
      (await objects.list(kinds.event, 'default')).map(({ reason, message }) => `${reason}: ${message}`),
  };
};
