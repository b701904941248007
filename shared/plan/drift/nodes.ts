import type { V1Node } from '@kubernetes/client-node';
import { type DriftKind, driftPoliciesOf } from '../../kinds/rules/drift-policy.ts';
import type { InstanceFacts } from '../infrastructure/instance.ts';
import { findNode } from '../machines/node.ts';
import { nodePatch, type SyncedKeys } from '../machines/node-metadata.ts';
import { isPaused } from '../status/cluster-claims.ts';
import { isObjectPaused } from '../status/paused.ts';
import type { Drift } from './claims.ts';
import type { KnownMachine } from './finding.ts';

/** Changes by others to the node of a machine. */
export interface NodeDrift extends Drift {
  kind: Extract<DriftKind, 'NodeDeleted' | 'NodeMetadata'>;
}

type Facts = Pick<InstanceFacts, 'running' | 'interruptible'>;

/**
 * Whether the node of a machine is compared: the machine had a node and its instance is running. A machine that is
 * being provisioned or deleted is left to its own execution, and a paused machine or cluster is left alone.
 */
const isCompared = ({ machine, infrastructure, cluster }: KnownMachine, { running }: Facts): boolean =>
  machine.status?.nodeRef !== undefined &&
  running &&
  infrastructure.spec.providerID !== undefined &&
  !machine.metadata.deletionTimestamp &&
  !infrastructure.metadata.deletionTimestamp &&
  !isPaused(cluster) &&
  !isObjectPaused(machine);

/**
 * How the node of a settled machine differs from the machine's spec. A machine that never had a node is left to its own
 * execution; whether a node is outdated is left to the pass.
 */
export const planNodeDrift = (
  known: KnownMachine,
  facts: Facts,
  nodes: readonly V1Node[],
  also?: SyncedKeys,
): NodeDrift[] => {
  if (!isCompared(known, facts)) return [];
  const { machine, infrastructure, cluster } = known;
  const { NodeDeleted, NodeMetadata } = driftPoliciesOf(cluster);
  const name = machine.status?.nodeRef?.name;
  const node = findNode(nodes, machine.spec.providerID);
  if (!node) {
    // A pass also writes to the node of a machine whose infrastructure is paused, but such a machine is not replaced.
    if (isObjectPaused(infrastructure)) return [];
    return [{ kind: 'NodeDeleted', policy: NodeDeleted, message: `its Node ${name} was deleted` }];
  }
  const { interruptible } = facts;
  if (!nodePatch(machine, node, { interruptible, outdated: undefined, also })) return [];
  const message = `labels, annotations or taints of Node ${name} are not the Machine's`;
  return [{ kind: 'NodeMetadata', policy: NodeMetadata, message }];
};
