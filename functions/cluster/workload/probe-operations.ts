/** The writes that follow a probe of the workload cluster. Pure. */
import type { V1Node } from '@kubernetes/client-node';
import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { EtcdMembership } from '../../../shared/plan/control-plane/etcd-view.ts';
import { healthWithoutNode, notConnected, withoutNode } from '../../../shared/plan/control-plane/health.ts';
import { strayClaims } from '../../../shared/plan/control-plane/strays.ts';
import type { SystemPod } from '../../../shared/plan/control-plane/system-pod.ts';
import { isControlPlaneMachine } from '../../../shared/plan/labels.ts';
import { copiesIn } from '../../../shared/plan/machines/copies.ts';
import { findNode } from '../../../shared/plan/machines/node.ts';
import type { MachineObservation } from '../../../shared/plan/machines/status.ts';
import { readInitializer } from '../../../shared/plan/memory/initializer.ts';
import { type ConditionClaim, isTrue } from '../../../shared/plan/status/conditions.ts';
import type { ClusterSnapshot } from '../snapshot.ts';

export interface Reached {
  reached: true;
  nodes: V1Node[];
  pods: SystemPod[];
  initialized: boolean;
  /** The distribution's configuration in the workload cluster, if it determines when certificates expire. */
  stored?: Readonly<Record<string, string>>;
  /** What etcd reports about its members; undefined if it did not respond, or is external. */
  etcd: EtcdMembership | undefined;
  /** Conditions of the control plane that report its upgrade tasks and bootstrap tokens. */
  claims: ConditionClaim[];
}

/** The result of a probe. */
export type Seen = Reached | { reached: false; why: string };

/** One write after a probe. The writes do not depend on each other. */
export type ProbeOperation =
  /** `claim`: the condition of the Cluster that reports whether its API answers. */
  | { do: 'report-connection'; claim: ConditionClaim }
  /** The control plane is initialized. `isNews`: the lock of the machine that initialized it can be released. */
  | { do: 'report-initialized'; isNews: boolean; claims: readonly ConditionClaim[] }
  | { do: 'report-machine'; machine: Machine; observation: MachineObservation }
  /**
   * Writes the expiry of a machine's certificates to its bootstrap configuration, from which its status takes it over.
   */
  | {
      do: 'date-certificates';
      config: string;
      decidedAt: string | undefined;
      stored: Readonly<Record<string, string>>;
    };

export interface ProbeFacts {
  snapshot: ClusterSnapshot;
  seen: Seen;
  /** Bootstrap configurations by machine name, for the machines whose health depends on them. */
  configs: ReadonlyMap<string, BootstrapConfig>;
}

const connection = (seen: Seen): ProbeOperation => ({
  do: 'report-connection',
  claim: seen.reached
    ? { type: 'RemoteConnectionProbe', status: 'True', reason: 'ProbeSucceeded' }
    : { type: 'RemoteConnectionProbe', status: 'False', reason: 'ProbeFailed', message: seen.why },
});

/** Reports a cluster as unreachable if it could be reached before, but no request can be sent now. */
export const lossOperations = ({ cluster }: ClusterSnapshot, why: string): ProbeOperation[] =>
  isTrue(cluster.status?.conditions, 'RemoteConnectionProbe') ? [connection({ reached: false, why })] : [];

/** `machines` must not contain copies. */
const initialized = (
  { controlPlane, distribution }: ClusterSnapshot,
  seen: Seen,
  machines: readonly Machine[],
): ProbeOperation[] => {
  if (!controlPlane || !distribution || distribution.isOutside || !seen.reached || !seen.initialized) return [];
  const wasKnown = controlPlane.status?.initialization?.controlPlaneInitialized === true;
  const own = machines.filter(isControlPlaneMachine);
  const isLasting = own.some((machine) => !machine.metadata.deletionTimestamp);
  // If all machines are already in deletion, this is not the cluster that will remain.
  if (!wasKnown && !isLasting) return [];
  const { nodes, etcd } = seen;
  const strays = strayClaims(controlPlane.status?.conditions, { machines: own, nodes, etcd });
  return [{ do: 'report-initialized', isNews: !wasKnown, claims: [...seen.claims, ...strays] }];
};

const observeDeletedNode = (
  { spec, status }: Machine,
  { etcd }: Reached,
  distribution: Distribution | null | undefined,
): MachineObservation | undefined => {
  if (!status?.nodeRef) return undefined;
  const { name } = status.nodeRef;
  const node = { seen: 'absent', providerId: spec.providerID } as const;
  if (!distribution) return { node };
  return { node, health: healthWithoutNode(name, distribution.unknownHealth(withoutNode(name)), etcd) };
};

/** The observation of one machine. A machine that never had a node is reported by its own execution. */
const observe = ({ snapshot, seen, configs }: ProbeFacts, machine: Machine): MachineObservation | undefined => {
  const { controlPlane, infrastructureCluster } = snapshot;
  const distribution = isControlPlaneMachine(machine) ? snapshot.distribution : undefined;
  if (!seen.reached) {
    if (!machine.status?.nodeRef) return undefined;
    const health = distribution ? { health: distribution.unknownHealth(notConnected(seen.why)) } : {};
    return { node: { seen: 'unreachable', why: seen.why }, ...health };
  }
  const node = findNode(seen.nodes, machine.spec.providerID);
  if (!node) return observeDeletedNode(machine, seen, distribution);
  const found: MachineObservation = { node: { seen: 'node', node } };
  if (!distribution) return found;
  const config = configs.get(machine.metadata.name);
  const initializer = readInitializer(infrastructureCluster);
  const facts = { machine, controlPlane, initializer, etcd: seen.etcd, ...(config ? { config } : {}) };
  return { ...found, health: distribution.health(node, seen.pods, facts) };
};

/** Control plane machines with a node and an unknown expiry of certificates. */
export const undatedMachines = ({ machines }: ClusterSnapshot): Machine[] =>
  machines.filter(
    (machine) => isControlPlaneMachine(machine) && machine.status?.nodeRef && !machine.status.certificatesExpiryDate,
  );

const dates = (snapshot: ClusterSnapshot, seen: Seen): ProbeOperation[] => {
  const { infrastructureMachines, distribution } = snapshot;
  if (!seen.reached || !seen.stored || !distribution?.certificates) return [];
  const { stored } = seen;
  return undatedMachines(snapshot).flatMap(({ metadata, spec }) => {
    const facts = infrastructureMachines.get(metadata.name)?.facts;
    const config = spec.bootstrap.configRef?.name;
    return facts && config ? [{ do: 'date-certificates', config, decidedAt: facts.decidedAt, stored } as const] : [];
  });
};

/** All writes that follow a probe. */
export const probeOperations = (facts: ProbeFacts): ProbeOperation[] => {
  const { snapshot, seen } = facts;
  const copies = copiesIn(snapshot.machines);
  const own = snapshot.machines.filter(({ metadata }) => !copies.has(metadata.uid ?? ''));
  const machines = own.flatMap((machine): ProbeOperation[] => {
    const observation = observe(facts, machine);
    return observation ? [{ do: 'report-machine', machine, observation }] : [];
  });
  return [connection(seen), ...initialized(snapshot, seen, own), ...machines, ...dates(snapshot, seen)];
};
