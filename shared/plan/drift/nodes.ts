import type { V1Node } from '@kubernetes/client-node';
import type { AWSMachine, Cluster, Machine } from '../../kinds/index.ts';
import { type DriftKind, driftPoliciesOf } from '../../kinds/rules/drift-policy.ts';
import { findNode } from '../machines/node.ts';
import { nodePatch, type SyncedKeys } from '../machines/node-metadata.ts';
import type { Drift } from './claims.ts';

/** A machine with what its node is compared with. */
interface MachineOnRecord {
  machine: Machine;
  infrastructure: AWSMachine;
  cluster: Cluster;
}

/** What somebody has done to the node of a machine. */
export interface NodeDrift<Known extends MachineOnRecord> extends Drift {
  known: Known;
  kind: Extract<DriftKind, 'NodeDeleted' | 'NodeMetadata'>;
}

const hasNode = ({ machine, infrastructure }: MachineOnRecord): boolean =>
  machine.status?.nodeRef !== undefined && infrastructure.status?.instanceState === 'running';

/**
 * How the nodes of `settled` machines differ from what their machines say. A machine that never had a node is left to its
 * own execution; whether a node is outdated is left to the pass.
 */
export const planNodeDrift = <Known extends MachineOnRecord>(
  settled: readonly Known[],
  nodes: readonly V1Node[],
  also?: SyncedKeys,
): NodeDrift<Known>[] =>
  settled.filter(hasNode).flatMap((known): NodeDrift<Known>[] => {
    const { machine, infrastructure, cluster } = known;
    const { NodeDeleted, NodeMetadata } = driftPoliciesOf(cluster);
    const name = machine.status?.nodeRef?.name;
    const node = findNode(nodes, machine.spec.providerID);
    if (!node) {
      return [{ known, kind: 'NodeDeleted', policy: NodeDeleted, message: `its Node ${name} was deleted` }];
    }
    if (!nodePatch(machine, node, { infrastructure, outdated: undefined, also })) return [];
    const message = `labels, annotations or taints of Node ${name} are not the Machine's`;
    return [{ known, kind: 'NodeMetadata', policy: NodeMetadata, message }];
  });
