/**
 * When a node can be expected at the earliest, by how long the other machines of its cluster took. A look costs the same
 * whether the node is there or not, so that nobody looks while none of them would have been there either.
 */
import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import { findNode } from './node.ts';

/** Machines may become faster: the first look comes when half of the shortest time is over. */
const SHARE = 0.5;

/** Who holds a watch has to be back before its lease runs out, whatever a cluster says of its nodes. */
const LONGEST_SECONDS = 100;

const secondsBetween = (from: string | Date | undefined, to: string | Date | undefined): number =>
  (new Date(to ?? '').getTime() - new Date(from ?? '').getTime()) / 1000;

/** The shortest time in which a machine of the cluster has become a node; undefined where none has, as far as one can tell. */
export const shortestBoot = (machines: readonly Machine[], nodes: readonly V1Node[]): number | undefined => {
  const times = machines
    .map(({ metadata, spec }) =>
      secondsBetween(metadata.creationTimestamp, findNode(nodes, spec.providerID)?.metadata?.creationTimestamp),
    )
    .filter((seconds) => seconds > 0);
  return times.length > 0 ? Math.min(...times) : undefined;
};

/** For how many seconds there is no use in looking for the node of a machine that has none yet. */
export const secondsToFirstLook = (machine: Machine, shortest: number | undefined, now: Date): number => {
  const waited = secondsBetween(machine.metadata.creationTimestamp, now);
  if (shortest === undefined || machine.status?.nodeRef || Number.isNaN(waited)) return 0;
  return Math.max(0, Math.min(LONGEST_SECONDS, Math.floor(shortest * SHARE - waited)));
};
