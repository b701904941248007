import type { V1Node } from '@kubernetes/client-node';
import { parseBool } from './go-values.ts';

/** Kubernetes': nodes with it are behind no external load balancer. kubeadm sets it on control plane nodes. */
const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** The cluster autoscaler's: the node is about to be removed. */
const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler';

/** A value that is no boolean, such as kubeadm's empty one, excludes. */
const isExcluded = ({ metadata }: V1Node): boolean => {
  const value = metadata?.labels?.[EXCLUDED];
  return value !== undefined && parseBool(value) !== false;
};

const isGoing = ({ metadata, spec }: V1Node): boolean =>
  metadata?.deletionTimestamp !== undefined || spec?.taints?.some(({ key }) => key === TO_BE_DELETED) === true;

/**
 * The nodes that load balancers send to. A node that is not ready stays among them: the health checks of the load
 * balancer find that out faster, and connections to it are not cut. Source: `stableNodeSetPredicates` of Kubernetes'
 * service controller.
 */
export const balancedNodes = (nodes: readonly V1Node[]): V1Node[] =>
  nodes.filter((node) => !isExcluded(node) && !isGoing(node));
