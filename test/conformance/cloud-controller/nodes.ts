/** The nodes for both programs, and the routes that their accounts contain beforehand. */
import type { V1Node } from '@kubernetes/client-node';
import { routedNode } from '../../routes/world.ts';

export const POD_BLOCK = '192.168.0.0/16';

/** The number of worker instances. */
export const WORKERS = 20;

/**
 * Destinations of routes that exist before the programs start. The target of FORMER is a terminated instance, and that
 * of TAKEN a gateway; OUTSIDE is not in the pod network.
 */
export const FORMER = { stale: '192.168.200.0/24', reused: '192.168.2.0/24' };
export const TAKEN = '192.168.3.0/24';
export const OUTSIDE = '172.16.0.0/24';

/** Twenty nodes. Each is named after what is special about it. */
export const nodesOn = (instances: readonly string[]): V1Node[] => {
  const on = (index: number): string => instances[index] ?? '';
  const block = (index: number): string => `192.168.${index}.0/24`;
  const plain = instances.slice(8).map((id, index) => routedNode(`plain-${index + 8}`, id, block(index + 8)));
  return [
    routedNode('first', on(0), block(0)),
    routedNode('reuses-a-dead-route', on(1), FORMER.reused),
    routedNode('finds-its-block-taken', on(2), TAKEN),
    routedNode('has-no-block-yet', on(3)),
    routedNode('has-both-families', on(4), block(4), 'fd00:0:0:4::/64'),
    routedNode('has-no-instance', 'i-0123456789abcdef0', block(5)),
    routedNode('has-a-small-block', on(6), '192.168.6.128/25'),
    routedNode('has-its-route-already', on(7), block(7)),
    ...plain,
  ];
};

/** Nodes that are deleted later, together with their instances. */
export const LEAVING = ['first', 'has-both-families', 'plain-8', 'plain-9'];
