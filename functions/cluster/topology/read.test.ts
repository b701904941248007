import { expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { desiredTopology } from '../../../shared/plan/topology/desired/desired-topology.ts';
import { blueprintOf } from '../../../shared/plan/topology/desired/test-blueprint.ts';
import type { ObjectReads } from '../snapshot.ts';
import { readLive } from './read.ts';

const OLD = 'v1.33.0';
const NEW = 'v1.34.0';

const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'demo', uid: 'uid-demo' };

const metadata = (name: string, labels: object) => ({
  ...{ namespace: 'team', name, uid: name, ownerReferences: [owner] },
  labels: { 'cluster.x-k8s.io/cluster-name': 'demo', 'topology.cluster.x-k8s.io/owned': '', ...labels },
});

const pool = (name: string, version: string) => ({
  metadata: metadata(`demo-${name}`, { 'topology.cluster.x-k8s.io/pool-name': name }),
  spec: { clusterName: 'demo', template: { spec: { clusterName: 'demo', version } } },
});

const machineOf = (name: string, kubeletVersion: string) => ({
  metadata: metadata(`${name}-a`, { 'cluster.x-k8s.io/pool-name': `demo-${name}` }),
  spec: { clusterName: 'demo', version: NEW },
  status: { nodeInfo: { kubeletVersion } },
});

it.each([
  { kubelet: OLD, second: OLD, why: 'waits' },
  { kubelet: NEW, second: NEW, why: 'does not wait any longer' },
])('a MachinePool $why for the machines of the one before it', async ({ kubelet, second }) => {
  const group = { class: 'pool', replicas: 1 };
  const machinePools = ['mp-0', 'mp-1'].map((name) => ({ ...group, name }));
  const blueprint = blueprintOf({ topology: { workers: { machinePools } } });
  const controlPlane = { metadata: metadata('demo-cp', {}), spec: { version: NEW }, status: { version: NEW } };
  const ref = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'demo-cp' };
  const cluster = { ...blueprint.cluster, spec: { ...blueprint.cluster.spec, controlPlaneRef: ref } };
  const found: Record<string, object[]> = {
    [kinds.kubeadmControlPlane.kind]: [{ kind: 'KubeadmControlPlane', ...controlPlane }],
    [kinds.machinePool.kind]: [pool('mp-0', NEW), pool('mp-1', OLD)].map((one) => ({ kind: 'MachinePool', ...one })),
    [kinds.machine.kind]: [machineOf('mp-0', kubelet), machineOf('mp-1', OLD)],
  };
  const objects = {
    listOfCluster: async ({ kind }: { kind: string }) => found[kind] ?? [],
  } as unknown as ObjectReads;

  const live = await readLive(objects, { ...blueprint, cluster });
  const { objects: desired } = desiredTopology({ ...blueprint, cluster }, live);
  const versionOf = (object: KubeObject | undefined) =>
    (object as { spec: { template: { spec: { version?: string } } } } | undefined)?.spec.template.spec.version;
  expect(versionOf(desired.machinePools[1]?.object)).toBe(second);
});
