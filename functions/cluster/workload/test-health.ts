/** For tests: a running cluster with workers and their health check. */
import type { V1Node } from '@kubernetes/client-node';
import { type Cluster, kinds, type Machine, type MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import type { FleetBrake } from '../../../shared/store/limits/fleet-brake.ts';
import { withOutside } from '../../../shared/store/outside-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { createControllersRegistry } from '../../controllers-registry.ts';
import { checkHealth } from './health.ts';

const KEY = { namespace: 'default', name: 'red' };
const CAPI = 'cluster.x-k8s.io/v1beta2';

export const condition = (type: string, status = 'True') => ({
  ...{ type, status, reason: 'Because', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
});

export const nodeOf = (name: string, ready: string): V1Node => ({
  metadata: { name },
  status: { conditions: [{ ...condition('Ready', ready), lastTransitionTime: new Date('2026-01-01T00:00:00Z') }] },
});

/** A running cluster with three workers and their health check. */
export const makeHealthWorld = async (remediation?: object) => {
  const clock = testClock('2026-01-01T00:10:00Z');
  const storage = createMemoryStorage();
  const registry = createControllersRegistry({ storage, clock, random: systemRandom });
  const objects = withOutside(createObjectClient(registry), registry.catalog);
  const infrastructure = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'x' };
  const { object: cluster } = await objects.ensure(kinds.cluster, {
    apiVersion: CAPI,
    kind: 'Cluster',
    metadata: KEY,
    spec: { infrastructureRef: { ...infrastructure, kind: 'AWSCluster' } },
    status: { conditions: [condition('InfrastructureReady'), condition('ControlPlaneInitialized')] },
  } as Cluster);
  for (const name of ['a', 'b', 'c']) {
    await objects.ensure(kinds.machine, {
      apiVersion: CAPI,
      kind: 'Machine',
      metadata: { namespace: 'default', name, labels: { pool: 'workers' } },
      spec: { clusterName: 'red', bootstrap: { dataSecretName: name }, infrastructureRef: infrastructure },
      status: { nodeRef: { name } },
    } as Machine);
  }
  await objects.ensure(kinds.machineHealthCheck, {
    apiVersion: CAPI,
    kind: 'MachineHealthCheck',
    metadata: { namespace: 'default', name: 'workers' },
    spec: {
      clusterName: 'red',
      selector: { matchLabels: { pool: 'workers' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
      ...(remediation ? { remediation } : {}),
    },
  } as MachineHealthCheck);
  let touched = 0;
  const work = {
    touch: async () => {
      touched += 1;
      return { wanted: touched, leased: true };
    },
  };
  const ref = { ...KEY, uid: cluster.metadata.uid ?? '' };
  const nodes = new Map(['a', 'b', 'c'].map((name) => [name, nodeOf(name, 'True')]));
  return {
    objects,
    storage,
    clock,
    change: (name: string, change: (machine: Machine) => Machine) =>
      objects.mutate(kinds.machine, { namespace: 'default', name }, change),
    setInitialized: (status: string) =>
      objects.mutate(kinds.cluster, KEY, (current) => ({
        ...current,
        status: {
          conditions: [condition('InfrastructureReady'), condition('ControlPlaneInitialized', status)],
        } as never,
      })),
    nodes,
    judge: (seen: readonly V1Node[] | undefined) => checkHealth({ objects, clock, work }, ref, seen),
    lookUnder: (holds: FleetBrake['holds']) =>
      checkHealth({ objects, clock, work, fleetBrake: { holds } }, ref, [...nodes.values()]),
    look: () => checkHealth({ objects, clock, work }, ref, [...nodes.values()]),
    touched: () => touched,
    check: async () =>
      (await objects.get(kinds.machineHealthCheck, { namespace: 'default', name: 'workers' })) as MachineHealthCheck,
    condition: async (name: string, type: string) =>
      (await objects.get(kinds.machine, { namespace: 'default', name }))?.status?.conditions?.find(
        (c) => c.type === type,
      ),
    events: async () => (await objects.list(kinds.event)).map(({ reason }) => reason).sort(),
  };
};
