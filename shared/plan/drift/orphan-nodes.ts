import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import { isOverdue } from '../machines/waiting.ts';

/** A node, with the instance on which it claims to run. */
export interface Orphan {
  node: string;
  instanceId: string;
  since: string | undefined;
}

/** A provider's information about instances. */
export interface Fates {
  fateOf(instanceId: string): 'there' | 'gone' | 'unknown';
  /** How long a new instance may be unknown to the provider. */
  graceSeconds: number;
}

const sinceOf = ({ metadata }: V1Node): string | undefined => {
  const time: Date | string | undefined = metadata?.creationTimestamp;
  return time instanceof Date ? time.toISOString() : time;
};

/** The nodes of instances without a machine. No deletion of a machine will delete them. */
export const orphanNodes = (
  nodes: readonly V1Node[],
  machines: readonly Machine[],
  infrastructure: Iterable<InfrastructureMachine>,
  instanceOf: (node: V1Node) => string | undefined,
): Orphan[] => {
  const known = new Set([...machines, ...infrastructure].map(({ spec }) => spec.providerID));
  return nodes
    .filter(({ spec }) => !known.has(spec?.providerID))
    .flatMap((node) => {
      const instanceId = instanceOf(node);
      const name = node.metadata?.name;
      return instanceId && name ? [{ node: name, instanceId, since: sinceOf(node) }] : [];
    });
};

/**
 * Nodes whose instance is gone: either the provider says so, or it does not know the instance although the node is
 * older than `graceSeconds`.
 */
export const goneNodes = (orphans: readonly Orphan[], { fateOf, graceSeconds }: Fates, now: Date): Orphan[] =>
  orphans.filter(({ instanceId, since }) => {
    const fate = fateOf(instanceId);
    return fate === 'unknown' ? isOverdue(since, graceSeconds, now) : fate === 'gone';
  });
