import type { V1Node } from '@kubernetes/client-node';
import type { AWSMachine, Machine } from '../../../../kinds/index.ts';
import { isOverdue } from '../../../../plan/machines/waiting.ts';
import { ABSENCE_GRACE_SECONDS } from './states.ts';

/** A node with the instance that it says it is on. */
export interface Orphan {
  node: string;
  instanceId: string;
  since: string | undefined;
}

const INSTANCE = /^aws:\/\/\/.*\/(i-[0-9a-f]+)$/;

const sinceOf = ({ metadata }: V1Node): string | undefined => {
  const time: Date | string | undefined = metadata?.creationTimestamp;
  return time instanceof Date ? time.toISOString() : time;
};

/** The nodes of instances that no machine of the cluster has: nobody here will delete them with their machine. */
export const orphanNodes = (
  nodes: readonly V1Node[],
  machines: readonly Machine[],
  awsMachines: Iterable<AWSMachine>,
): Orphan[] => {
  const known = new Set([...machines, ...awsMachines].map(({ spec }) => spec.providerID));
  return nodes
    .filter(({ spec }) => !known.has(spec?.providerID))
    .flatMap((node) => {
      const instanceId = INSTANCE.exec(node.spec?.providerID ?? '')?.[1];
      const name = node.metadata?.name;
      return instanceId && name ? [{ node: name, instanceId, since: sinceOf(node) }] : [];
    });
};

/**
 * Those whose instance is gone: EC2 says that it is terminated, or does not know it, although the node is older than an
 * instance can be unknown. `states` is EC2's answer about all of them.
 */
export const goneNodes = (orphans: readonly Orphan[], states: ReadonlyMap<string, string>, now: Date): Orphan[] =>
  orphans.filter(({ instanceId, since }) => {
    const state = states.get(instanceId);
    return state === undefined ? isOverdue(since, ABSENCE_GRACE_SECONDS, now) : state === 'terminated';
  });
