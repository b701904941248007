import type { V1Node } from '@kubernetes/client-node';
import { type DriftKind, driftPoliciesOf } from '../../../../kinds/rules/drift-policy.ts';
import type { Drift } from '../../../../plan/drift/claims.ts';
import { findNode } from '../../../../plan/machines/node.ts';
import { nodePatch, type SyncedKeys } from '../../../../plan/machines/node-metadata.ts';
import { instanceFacts } from '../instance-facts.ts';
import type { PlacedMachine } from './difference.ts';
import { isSettled } from './states.ts';

/** What somebody has done to the node of a machine. */
export interface NodeDrift extends Drift {
  known: PlacedMachine;
  kind: Extract<DriftKind, 'NodeDeleted' | 'NodeMetadata'>;
}

const hasNode = ({ machine, infrastructure }: PlacedMachine): boolean =>
  machine.status?.nodeRef !== undefined && infrastructure.status?.instanceState === 'running';

/**
 * How the nodes of settled machines differ from what their machines say. A machine that never had a node is left to its
 * own execution; whether a node is outdated is left to the pass.
 */
export const planNodeDrift = (
  machines: readonly PlacedMachine[],
  nodes: readonly V1Node[],
  also?: SyncedKeys,
): NodeDrift[] =>
  machines
    .filter((known) => isSettled(known) && hasNode(known))
    .flatMap((known): NodeDrift[] => {
      const { machine, infrastructure, cluster } = known;
      const { interruptible } = instanceFacts(infrastructure);
      const { NodeDeleted, NodeMetadata } = driftPoliciesOf(cluster);
      const name = machine.status?.nodeRef?.name;
      const node = findNode(nodes, machine.spec.providerID);
      if (!node) {
        return [{ known, kind: 'NodeDeleted', policy: NodeDeleted, message: `its Node ${name} was deleted` }];
      }
      if (!nodePatch(machine, node, { interruptible, outdated: undefined, also })) return [];
      const message = `labels, annotations or taints of Node ${name} are not the Machine's`;
      return [{ known, kind: 'NodeMetadata', policy: NodeMetadata, message }];
    });
