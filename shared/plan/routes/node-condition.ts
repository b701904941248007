import type { V1Node } from '@kubernetes/client-node';
import type { NodeCondition } from '../machines/node-patch.ts';

const NETWORK_UNAVAILABLE = 'NetworkUnavailable';

const ROUTED = {
  type: NETWORK_UNAVAILABLE,
  status: 'False',
  reason: 'RouteCreated',
  message: 'RouteController created a route',
} as const;

const UNROUTED = {
  type: NETWORK_UNAVAILABLE,
  status: 'True',
  reason: 'NoRouteCreated',
  message: 'RouteController failed to create a route',
} as const;

/**
 * The condition that a node must get, in the words of Kubernetes' route controller; undefined if it already has it.
 * Source: `updateNetworkingCondition` (k8s.io/cloud-provider, controllers/route/route_controller.go).
 */
export const networkCondition = ({ status }: V1Node, isRouted: boolean): NodeCondition | undefined => {
  const wanted = isRouted ? ROUTED : UNROUTED;
  const found = status?.conditions?.find(({ type }) => type === NETWORK_UNAVAILABLE);
  return found?.status === wanted.status && found.reason === wanted.reason ? undefined : wanted;
};
