import type { V1Node } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { ConflictError } from '../../../shared/errors.ts';
import type { Machine, MachineDeployment, MachineSet } from '../../../shared/kinds/index.ts';
import { silentLog } from '../../../shared/log.ts';
import type { NodePatch } from '../../../shared/plan/machines/node-patch.ts';
import { WorkloadRefusedError } from '../../../shared/workload/client.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { syncNodes } from './sync-nodes.ts';

const REVISION = 'machinedeployment.clusters.x-k8s.io/revision';
const owned = (kind: string, name: string) => [{ kind, name, uid: `u-${name}`, controller: true }];
const deployment = {
  metadata: { name: 'd', uid: 'u-d', annotations: { [REVISION]: '2' } },
} as unknown as MachineDeployment;
const set = (name: string, revision: string) =>
  ({
    metadata: {
      name,
      uid: `u-${name}`,
      annotations: { [REVISION]: revision },
      ownerReferences: owned('MachineDeployment', 'd'),
    },
  }) as unknown as MachineSet;
const machine = (name: string, of: string, annotations = {}) =>
  ({
    metadata: { name, namespace: 'default', annotations, ownerReferences: owned('MachineSet', of) },
    spec: { clusterName: 'red', providerID: `aws:///a/${name}` },
  }) as unknown as Machine;
const node = (name: string): V1Node => ({ metadata: { name: `n-${name}` }, spec: { providerID: `aws:///a/${name}` } });

it('writes each node that differs from its machine, and continues after a conflict and a refusal', async () => {
  const snapshot = {
    deployments: [deployment],
    sets: [set('old', '1'), set('new', '2')],
    machines: [
      machine('busy', 'old'),
      machine('refused', 'old'),
      machine('a', 'old'),
      machine('b', 'new'),
      machine('paused', 'old', { 'cluster.x-k8s.io/paused': '' }),
      machine('without', 'old'),
    ],
    infrastructureMachines: new Map(),
  } as unknown as ClusterSnapshot;
  const patches = new Map<string, NodePatch>();
  const client = {
    patchNode: async (name: string, patch: NodePatch) => {
      if (name === 'n-busy') throw new ConflictError('node n-busy has changed in the meantime');
      if (name === 'n-refused') throw new WorkloadRefusedError({ code: 500, reason: 'InternalError', causes: [] });
      patches.set(name, patch);
    },
  };
  await syncNodes({ log: silentLog }, client, snapshot, ['busy', 'refused', 'a', 'b', 'paused'].map(node));

  expect([...patches.keys()].sort()).toEqual(['n-a', 'n-b']);
  expect(patches.get('n-a')?.taints).toEqual([
    { key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' },
  ]);
  expect(patches.get('n-b')?.taints).toBeUndefined();
});
