/** The conditions of a machine that has no node yet, and what they wait for. */
import type { Cluster, Machine } from '../../kinds/index.ts';
import { type ConditionClaim, findCondition } from '../status/conditions.ts';
import { type NodeObservation, nodeClaims } from './node.ts';
import type { MachineObservation } from './status.ts';

/** The beginnings and ends of texts that do not come from a search. */
const OF_CLUSTER = 'Waiting for Cluster';
const OF_MACHINE = 'to report spec.providerID';
const OF_NODES: readonly string[] = ['NodeReady', 'NodeHealthy'];

/**
 * What a cluster lacks before a search for nodes is possible (upstream's setNodeHealthyAndReadyConditions,
 * core/reconcilers/machine/machine_controller_status.go).
 */
const whyNoNodes = ({ status }: Cluster): string | undefined => {
  const { infrastructureProvisioned, controlPlaneInitialized } = status?.initialization ?? {};
  if (!infrastructureProvisioned) return `${OF_CLUSTER} status.initialization.infrastructureProvisioned to be true`;
  return controlPlaneInitialized ? undefined : `${OF_CLUSTER} control plane to be initialized`;
};

const reportOn = (types: readonly string[], node: NodeObservation, machine: Machine): ConditionClaim[] => {
  const [{ status, reason, message }] = nodeClaims(node, machine);
  return types.map((type) => ({ type, status, reason, ...(message ? { message } : {}) }));
};

/** Whether no search for the machine's node has reported anything yet. */
export const isUnsearched = ({ status }: Machine): boolean => {
  const found = findCondition(status?.conditions, 'NodeReady');
  if (!found) return true;
  const { message = '' } = found;
  return message.startsWith(OF_CLUSTER) || message.endsWith(OF_MACHINE);
};

/**
 * What a pass reports about a machine without a node, until the machine's own execution searches for it. `health`: the
 * condition types of what would run on the node. Undefined if there is nothing to report.
 */
export const awaitedObservation = (
  machine: Machine,
  cluster: Cluster,
  health: readonly string[],
): MachineObservation | undefined => {
  if (machine.status?.nodeRef || !isUnsearched(machine)) return undefined;
  const why = whyNoNodes(cluster);
  const node: NodeObservation = why
    ? { seen: 'nothing', why }
    : { seen: 'absent', providerId: machine.spec.providerID };
  return { node, health: reportOn(health, node, machine) };
};

/**
 * The observation of a search that has found no node: what would run on it is reported with the same text. While the
 * cluster is not initialized, it is expected that its API server does not respond.
 */
export const searchedObservation = (
  machine: Machine,
  cluster: Cluster | null,
  found: NodeObservation,
): MachineObservation => {
  if (found.seen === 'node' || machine.status?.nodeRef) return { node: found };
  const why = found.seen === 'unreachable' && cluster ? whyNoNodes(cluster) : undefined;
  const node: NodeObservation = why ? { seen: 'nothing', why } : found;
  const before = findCondition(machine.status?.conditions, 'NodeReady');
  const health = (machine.status?.conditions ?? []).flatMap(({ type, reason, message }) =>
    !OF_NODES.includes(type) && reason === before?.reason && message === before.message ? [type] : [],
  );
  return { node, health: reportOn(health, node, machine) };
};
