/**
 * When a node can be expected at the earliest, judged by how long the other machines of its cluster took. A poll costs
 * the same whether the node exists or not, so polling starts only when some of the others would have had a node.
 */
import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import { findNode } from './node.ts';

/** Machines may become faster: the first poll comes after half of the shortest time. */
const SHARE = 0.5;

/** The holder of a watch must return before its lease expires, regardless of the cluster's data about its nodes. */
const LONGEST_SECONDS = 100;

const secondsBetween = (from: string | Date | undefined, to: string | Date | undefined): number =>
  (new Date(to ?? '').getTime() - new Date(from ?? '').getTime()) / 1000;

/** The shortest time in which a machine of the cluster has become a node; undefined if none has, as far as known. */
export const shortestBoot = (machines: readonly Machine[], nodes: readonly V1Node[]): number | undefined => {
  const times = machines
    .map(({ metadata, spec }) =>
      secondsBetween(metadata.creationTimestamp, findNode(nodes, spec.providerID)?.metadata?.creationTimestamp),
    )
    .filter((seconds) => seconds > 0);
  return times.length > 0 ? Math.min(...times) : undefined;
};

/** How many seconds to wait before the first search for the node of a machine. */
export const secondsToFirstLook = (machine: Machine, shortest: number | undefined, now: Date): number => {
  const waited = secondsBetween(machine.metadata.creationTimestamp, now);
  if (shortest === undefined || machine.status?.nodeRef || Number.isNaN(waited)) return 0;
  return Math.max(0, Math.min(LONGEST_SECONDS, Math.floor(shortest * SHARE - waited)));
};
