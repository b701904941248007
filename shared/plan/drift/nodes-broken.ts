import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import type { Tally } from './brake.ts';

/** A node that was never ready waits for a CNI plugin, which does not prove a failure. */
const GRACE_MILLISECONDS = 60_000;

const millisecondsOf = (time: Date | string | undefined): number => (time ? new Date(time).getTime() : 0);

/** Whether a node was ready once and is not ready now. */
const isBroken = (node: V1Node): boolean => {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True') return false;
  const since = millisecondsOf(ready.lastTransitionTime);
  return since > millisecondsOf(node.metadata?.creationTimestamp) + GRACE_MILLISECONDS;
};

/** How many machines of a cluster had a node, and how many of these now have no node or one that is not ready. */
export const brokenNodes = (machines: readonly Machine[], nodes: readonly V1Node[]): Tally => {
  const byName = new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
  const considered = machines.filter(({ metadata, status }) => status?.nodeRef && !metadata.deletionTimestamp);
  const broken = considered.filter(({ status }) => {
    const node = byName.get(status?.nodeRef?.name ?? '');
    return !node || isBroken(node);
  });
  return { considered: considered.length, broken: broken.length };
};
