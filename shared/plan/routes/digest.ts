import type { V1Node } from '@kubernetes/client-node';
import type { KubeObject } from '../../kube-api/object.ts';
import { digestOf, isDutyNews } from '../duties/settled.ts';
import { blocksOf } from './wanted.ts';

/** The record of the nodes for which all routes were last in their desired state. */
export const ROUTES_ENTRY = 'windlass.dev/routes';

/** A hash of everything that determines the routes of a cluster. */
export const routesDigest = (nodes: readonly V1Node[], podBlocks: readonly string[]): string => {
  const facts = nodes
    .filter((node) => blocksOf(node).length > 0)
    .map((node) => [node.metadata?.name, node.metadata?.uid, node.spec?.providerID, ...blocksOf(node)].join(' '))
    .sort();
  return digestOf([podBlocks, facts]);
};

/** Whether the routes may not be as these nodes need them, or the hourly retry is due. */
export const isRoutesNews = (
  infrastructure: Pick<KubeObject, 'metadata'>,
  nodes: readonly V1Node[],
  podBlocks: readonly string[],
  isHourly: boolean,
): boolean => isDutyNews(infrastructure, ROUTES_ENTRY, routesDigest(nodes, podBlocks), isHourly);
