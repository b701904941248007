import type { V1Node } from '@kubernetes/client-node';
import { parseBool } from './go-values.ts';

/**
 * Kubernetes' own label: nodes with it do not receive traffic from external load balancers. kubeadm sets it on control
 * plane nodes.
 */
const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** The cluster autoscaler's taint: the node is about to be removed. */
const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler';

/** A value that is not a boolean, such as kubeadm's empty one, also excludes the node. */
const isExcluded = ({ metadata }: V1Node): boolean => {
  const value = metadata?.labels?.[EXCLUDED];
  return value !== undefined && parseBool(value) !== false;
};

const isGoing = ({ metadata, spec }: V1Node): boolean =>
  metadata?.deletionTimestamp !== undefined || spec?.taints?.some(({ key }) => key === TO_BE_DELETED) === true;

/**
 * The nodes to which load balancers send traffic. A node that is not ready is included: the load balancer's health
 * checks detect that faster, and existing connections to it are not interrupted. Source: `stableNodeSetPredicates` of
 * Kubernetes' service controller.
 */
export const balancedNodes = (nodes: readonly V1Node[]): V1Node[] =>
  nodes.filter((node) => !isExcluded(node) && !isGoing(node));
