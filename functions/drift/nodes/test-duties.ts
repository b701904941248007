/** A cluster with one node, as a sweep sees it; a pass does the work of a cloud controller manager for it. */

import type { V1Node } from '@kubernetes/client-node';
import { toKubeconfigSecret } from '../../../shared/bootstrap/certificates/secrets.ts';
import type { Clock } from '../../../shared/clock.ts';
import {
  type AWSCluster,
  type AWSMachine,
  type Cluster,
  kinds,
  type Machine,
  type Secret,
} from '../../../shared/kinds/index.ts';
import { silentLog } from '../../../shared/log.ts';
import { nodePatch } from '../../../shared/plan/machines/node-metadata.ts';
import { ENOUGH } from '../../../shared/plan/machines/test-node.ts';
import { aws } from '../../../shared/providers/aws/infrastructure.ts';
import type { WorkloadClient } from '../../../shared/workload/client.ts';
import { startRun } from '../run.ts';
import { createTestFleet, NAMESPACE } from '../test-fleet.ts';
import { nodeDrift } from './node-drift.ts';

/** The node of the machine, as a pass has left it. */
export const nodesOf = (machine: Machine): V1Node[] => {
  const { providerID } = machine.spec;
  const node = { metadata: { name: 'node-1', resourceVersion: '1' }, spec: { providerID } } as V1Node;
  const { labels, annotations } = nodePatch(machine, node, { interruptible: false, outdated: false }) ?? {};
  const status = { conditions: [{ type: 'Ready', status: 'True' }, ...ENOUGH] };
  return [{ ...node, metadata: { ...node.metadata, labels, annotations } as V1Node['metadata'], status }];
};

const condition = (type: string, reason: string) => ({
  ...({ type, status: 'False', reason, message: '' } as const),
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

interface Given {
  annotations: Record<string, string>;
  /** The Cluster's condition about this work, if it has one. */
  type: string;
  reason?: string | undefined;
  podBlocks?: string[];
  /** The start of the sweep; by default in the middle of an hour, when silent servers are not queried. */
  at?: string | undefined;
}

export const dutyWorld = async ({ annotations, type, reason, podBlocks, at = '2026-01-01T00:35:00Z' }: Given) => {
  const { objects, addCluster, addMachines } = await createTestFleet();
  await addCluster('lb', 'here');
  await addMachines('lb', 'here', 1);
  const key = { namespace: NAMESPACE, name: 'lb' };
  await objects.ensure(kinds.secret, toKubeconfigSecret('lb', NAMESPACE, 'a kubeconfig') as Secret);
  const cluster = (await objects.mutate(kinds.cluster, key, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations },
    spec: { ...current.spec, ...(podBlocks ? { clusterNetwork: { pods: { cidrBlocks: podBlocks } } } : {}) },
    status: { ...current.status, conditions: reason === undefined ? [] : [condition(type, reason)] },
  }))) as Cluster;
  const awsCluster = (await objects.get(kinds.awsCluster, key)) as AWSCluster;
  const [found] = await objects.listOfCluster(kinds.machine, NAMESPACE, 'lb');
  const ready = ['NodeReady', 'NodeHealthy'].map((type) => ({ type, status: 'True', reason: type, message: '' }));
  const machine = { ...found, status: { nodeRef: { name: 'node-1' }, conditions: ready } } as Machine;
  const ofMachine = { ...key, name: found?.metadata.name ?? '' };
  const infrastructure = (await objects.get(kinds.awsMachine, ofMachine)) as AWSMachine;
  return {
    awsCluster,
    machine,
    /**
     * The names of the clusters that need a pass. It is not their turn, so only load balancers or routes can be the
     * reason.
     */
    drift: async (client: Partial<WorkloadClient>, remembering: AWSCluster): Promise<string[]> => {
      const connect = async () => () => ({ ...client, close: async () => {} });
      const clock: Clock = { now: () => new Date(at), sleep: async () => {} };
      const deps = { objects, clock, log: silentLog, connect, sweepMinutes: 5 };
      const fleet = {
        provider: aws,
        clusters: [{ cluster, infrastructure: remembering }],
        machines: [{ cluster, machine, infrastructure, infrastructureCluster: remembering }],
      };
      const touched = await nodeDrift(deps as never, fleet, new Set(), startRun(deps as never));
      return touched.map(({ metadata }) => metadata.name);
    },
  };
};
