import type { V1Node } from '@kubernetes/client-node';
import type { Machine } from '../../kinds/index.ts';
import { isControlPlaneMachine } from '../labels.ts';

const CONTROL_PLANE_ROLE = 'node-role.kubernetes.io/control-plane';

const isReady = ({ status }: V1Node): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/**
 * Whether a machine no longer needs to be able to join. A kubelet registers its node with its own certificate, and
 * kubeadm continues with that or with the administrator's. But if a join fails after that, it starts again. So a
 * control plane machine has joined when kubeadm has marked its node, which is almost its last step, and no machine has
 * joined before its node is Ready.
 */
export const hasJoined = ({ metadata }: Machine, node: V1Node | undefined): boolean => {
  if (!node || !isReady(node)) return false;
  return !isControlPlaneMachine({ metadata }) || CONTROL_PLANE_ROLE in (node.metadata?.labels ?? {});
};
