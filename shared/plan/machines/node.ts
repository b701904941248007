import type { V1Node, V1NodeCondition } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { ConditionClaim } from '../status/conditions.ts';

/**
 * What a step could see of a machine's node. `absent`: the API answered and has no node with the machine's provider id;
 * `unreachable`: the API did not answer, so nothing is known, which never reads as "gone".
 */
export type NodeObservation =
  | { seen: 'node'; node: V1Node }
  | { seen: 'absent'; providerId: string | undefined }
  | { seen: 'unreachable'; why: string };

const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

const conditionOf = (node: V1Node, type: string): V1NodeCondition | undefined =>
  node.status?.conditions?.find((condition) => condition.type === type);

const both = (status: ConditionClaim['status'], reason: string, message: string): ConditionClaim[] => [
  { type: 'NodeReady', status, reason, message },
  { type: 'NodeHealthy', status, reason, message },
];

const readyClaim = (node: V1Node): ConditionClaim => {
  const ready = conditionOf(node, 'Ready');
  if (ready?.status === 'True') return { type: 'NodeReady', status: 'True', reason: 'NodeReady' };
  const message = `* Node.Ready: ${ready?.message ?? 'Condition not yet reported'}`;
  return ready?.status === 'False'
    ? { type: 'NodeReady', status: 'False', reason: 'NodeNotReady', message }
    : { type: 'NodeReady', status: 'Unknown', reason: 'NodeReadyUnknown', message };
};

/** Upstream's summarizeNodeConditions (core/reconcilers/machine/machine_controller_status.go). */
const healthClaim = (node: V1Node): ConditionClaim => {
  const ready = readyClaim(node);
  const pressed = PRESSURES.flatMap((type) => conditionOf(node, type) ?? []).filter(({ status }) => status !== 'False');
  const found = [...(ready.status === 'True' ? [] : [conditionOf(node, 'Ready')]), ...pressed];
  const texts = new Set(found.map((one) => one?.message));
  const lines = [ready.message, ...pressed.map(({ type, message = '' }) => `* Node.${type}: ${message}`)];
  const message =
    found.length > 1 && texts.size === 1 ? `* Node.AllConditions: ${[...texts][0]}` : lines.filter(Boolean).join('\n');
  if (pressed.some(({ status }) => status === 'True') || ready.status === 'False') {
    return { type: 'NodeHealthy', status: 'False', reason: 'NodeNotHealthy', message };
  }
  if (found.length > 0) return { type: 'NodeHealthy', status: 'Unknown', reason: 'NodeHealthyUnknown', message };
  return { type: 'NodeHealthy', status: 'True', reason: 'NodeHealthy' };
};

/**
 * NodeReady and NodeHealthy of a machine from the observed node. If the node is missing, a machine that had one has
 * lost it; for any other it does not exist yet.
 */
export const nodeClaims = (observation: NodeObservation, { spec, status }: Machine): ConditionClaim[] => {
  const hadNode = status?.nodeRef?.name;
  switch (observation.seen) {
    case 'node':
      return [readyClaim(observation.node), healthClaim(observation.node)];
    case 'unreachable':
      return both('Unknown', 'ConnectionDown', `Remote connection not established: ${observation.why}`);
    case 'absent':
      if (hadNode)
        return both('False', 'NodeDeleted', `Node ${hadNode} has been deleted while the Machine still exists`);
      return both(
        'Unknown',
        'NodeDoesNotExist',
        observation.providerId
          ? `Waiting for a Node with spec.providerID ${observation.providerId} to exist`
          : `Waiting for ${spec.infrastructureRef.kind} to report spec.providerID`,
      );
  }
};

/** The node with a provider id; equality of the whole string, as upstream. */
export const findNode = (nodes: readonly V1Node[], providerId: string | undefined): V1Node | undefined =>
  providerId ? nodes.find((node) => node.spec?.providerID === providerId) : undefined;
