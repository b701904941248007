import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import type { EtcdView } from './etcd-view.ts';
import { type ControlPlaneRemediationFacts, planControlPlaneRemediation } from './remediation.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
/** The time this many seconds before the planner runs. */
export const ago = (seconds: number): string =>
  `${new Date(NOW.getTime() - seconds * 1000).toISOString().slice(0, 19)}Z`;
const IN_PROGRESS = 'controlplane.cluster.x-k8s.io/remediation-in-progress';
/** The conditions of a healthy machine: few, for brevity. */
export const health = { components: ['APIServerPodHealthy'], etcd: ['EtcdPodHealthy', 'EtcdMemberHealthy'] };

const condition = (type: string, status: string) => ({
  ...{ type, status, reason: 'Because', message: '', lastTransitionTime: ago(9) },
});

export interface Over {
  /** Health conditions that are False. */
  bad?: string[];
  marked?: true;
  node?: false;
  deleting?: true;
  annotations?: Record<string, string>;
  born?: number;
}

/** A machine of the control plane; healthy, with a node, unless the test says otherwise. */
export const machine = (name: string, { bad = [], born = 9000, ...over }: Over = {}) =>
  ({
    metadata: {
      name,
      creationTimestamp: ago(born),
      annotations: over.annotations,
      ...(over.deleting ? { deletionTimestamp: ago(1) } : {}),
    },
    status: {
      ...(over.node === false ? {} : { nodeRef: { name: `node-${name}` } }),
      conditions: [
        ...[...health.components, ...health.etcd].map((type) => condition(type, bad.includes(type) ? 'False' : 'True')),
        ...(over.marked ? [condition('HealthCheckSucceeded', 'False'), condition('OwnerRemediated', 'False')] : []),
      ],
    },
  }) as unknown as Machine;

export const ALL = [...health.components, ...health.etcd];
/** A machine that a health check has marked, with nothing healthy on it. */
export const broken = (name: string, over: Over = {}) => machine(name, { bad: ALL, marked: true, ...over });

export const controlPlane = (over: { kind?: string; formed?: false; inProgress?: object; replicas?: number } = {}) =>
  ({
    kind: over.kind ?? 'KubeadmControlPlane',
    metadata: { name: 'kcp', annotations: over.inProgress ? { [IN_PROGRESS]: JSON.stringify(over.inProgress) } : {} },
    spec: { replicas: over.replicas ?? 3 },
    status: { initialization: { controlPlaneInitialized: over.formed ?? true } },
  }) as unknown as ControlPlane;

/** The etcd of these machines. The members of `silent` do not respond. */
export const view = (names: string[], silent: string[] = [], learner?: string): EtcdView => ({
  members: names.map((name) => ({ id: name, name: `node-${name}`, learner: name === learner, hosts: [] })),
  leader: names[0],
  alarms: new Map(),
  reachable: new Set(names.filter((name) => !silent.includes(name))),
});

/** The decision in words. */
export const plan = (machines: Machine[], over: Partial<ControlPlaneRemediationFacts> = {}) => {
  const names = machines.map(({ metadata }) => metadata.name);
  const owner = over.controlPlane ?? controlPlane();
  const next = planControlPlaneRemediation({
    ...{ controlPlane: owner, machines, wanted: owner.spec.replicas ?? 1, settings: {}, health, now: NOW },
    ...{ etcd: view(names), ...over },
  });
  if (next.do === 'nothing' || next.do === 'ask-etcd') return next.do;
  const tries = next.do === 'remove' ? ` (${next.data.retryCount})` : '';
  return `${next.do} ${next.machine.metadata.name}${tries}: ${next.claim.reason}: ${next.claim.message}`;
};
