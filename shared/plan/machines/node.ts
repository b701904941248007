import type { V1Node, V1NodeCondition } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { ConditionClaim } from '../status/conditions.ts';

/**
 * What a step could observe about a machine's node. `absent`: the API has responded, and has no node with the machine's
 * provider id. `unreachable`: the API did not respond, so nothing is known, which never means "gone". `nothing`: the
 * API is not expected to respond yet.
 */
export type NodeObservation =
  | { seen: 'node'; node: V1Node }
  | { seen: 'absent'; providerId: string | undefined }
  | { seen: 'unreachable'; why: string }
  | { seen: 'nothing'; why: string };

const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

const NOT_REPORTED = 'Condition not yet reported';

const conditionOf = (node: V1Node, type: string): V1NodeCondition | undefined =>
  node.status?.conditions?.find((condition) => condition.type === type);

type Claims = readonly [ConditionClaim, ConditionClaim];

const both = (status: ConditionClaim['status'], reason: string, message: string): Claims => [
  { type: 'NodeReady', status, reason, message },
  { type: 'NodeHealthy', status, reason, message },
];

const readyClaim = (node: V1Node): ConditionClaim => {
  const ready = conditionOf(node, 'Ready');
  if (ready?.status === 'True') return { type: 'NodeReady', status: 'True', reason: 'NodeReady' };
  const text = ready ? ready.message : NOT_REPORTED;
  const message = text ? `* Node.Ready: ${text}` : '';
  return ready?.status === 'False'
    ? { type: 'NodeReady', status: 'False', reason: 'NodeNotReady', message }
    : { type: 'NodeReady', status: 'Unknown', reason: 'NodeReadyUnknown', message };
};

/** A condition of a node that is not as it should be, or that its kubelet has not reported. */
interface Issue {
  type: string;
  isReported: boolean;
  isUnknown: boolean;
  text: string;
}

const issueOf = (node: V1Node, type: string, wanted: 'True' | 'False'): Issue | undefined => {
  const found = conditionOf(node, type);
  if (!found) return { type, isReported: false, isUnknown: true, text: NOT_REPORTED };
  if (found.status === wanted) return undefined;
  const text = found.message || `Condition is ${found.status}`;
  return { type, isReported: true, isUnknown: found.status === 'Unknown', text };
};

/** Upstream's summarizeNodeConditions (core/reconcilers/machine/machine_controller_status.go). */
const healthClaim = (node: V1Node): ConditionClaim => {
  const all = [issueOf(node, 'Ready', 'True'), ...PRESSURES.map((type) => issueOf(node, type, 'False'))];
  const issues = all.filter((issue) => issue !== undefined);
  if (issues.length === 0) return { type: 'NodeHealthy', status: 'True', reason: 'NodeHealthy' };
  const reported = issues.filter(({ isReported }) => isReported);
  const texts = new Set(reported.map(({ text }) => text));
  const message =
    reported.length > 1 && texts.size === 1
      ? `* Node.AllConditions: ${[...texts][0]}`
      : issues.map(({ type, text }) => `* Node.${type}: ${text}`).join('\n');
  return issues.every(({ isUnknown }) => isUnknown)
    ? { type: 'NodeHealthy', status: 'Unknown', reason: 'NodeHealthyUnknown', message }
    : { type: 'NodeHealthy', status: 'False', reason: 'NodeNotHealthy', message };
};

/**
 * The claims about a machine without a node: if it had a node, it has lost it; otherwise, the node does not exist yet.
 */
const absentClaims = (providerId: string | undefined, { metadata, spec, status }: Machine): Claims => {
  const name = status?.nodeRef?.name;
  if (metadata.deletionTimestamp) {
    return name
      ? both('False', 'NodeDeleted', `Node ${name} has been deleted`)
      : both('Unknown', 'NodeDoesNotExist', 'Node does not exist');
  }
  if (name) return both('False', 'NodeDeleted', `Node ${name} has been deleted while the Machine still exists`);
  const awaited = providerId
    ? `a Node with spec.providerID ${providerId} to exist`
    : `${spec.infrastructureRef.kind} to report spec.providerID`;
  return both('Unknown', 'InspectionFailed', `Waiting for ${awaited}`);
};

/**
 * NodeReady and NodeHealthy of a machine from the observed node (upstream's setNodeHealthyAndReadyConditions,
 * core/reconcilers/machine/machine_controller_status.go).
 */
export const nodeClaims = (observation: NodeObservation, machine: Machine): Claims => {
  switch (observation.seen) {
    case 'node':
      return [readyClaim(observation.node), healthClaim(observation.node)];
    case 'unreachable':
      return both('Unknown', 'ConnectionDown', `Remote connection not established: ${observation.why}`);
    case 'nothing':
      return both('Unknown', 'InspectionFailed', observation.why);
    case 'absent':
      return absentClaims(observation.providerId, machine);
  }
};

/** The node with a provider id. As in upstream, the complete strings must be equal. */
export const findNode = (nodes: readonly V1Node[], providerId: string | undefined): V1Node | undefined =>
  providerId ? nodes.find((node) => node.spec?.providerID === providerId) : undefined;
