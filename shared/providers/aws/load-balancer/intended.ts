import type { AWSCluster } from '../../../kinds/index.ts';
import type { DesiredLoadBalancing } from './desired-balancing.ts';
import type { LoadBalancerAction } from './model.ts';
import { listenerStatus } from './record.ts';
import { recordedTargetGroupNames } from './recorded.ts';
import { balancerRecordOf, withBalancerRecord } from './roles.ts';

/**
 * The AWSCluster with the names of the resources that the actions create and that only its status can identify once the
 * spec no longer contains them: a second load balancer, and target groups of additional listeners. Unchanged if there
 * are none.
 */
export const withIntended = (
  awsCluster: AWSCluster,
  { role, name, vpcId, listeners }: DesiredLoadBalancing,
  actions: readonly LoadBalancerAction[],
): AWSCluster => {
  const record = balancerRecordOf(awsCluster, role);
  const known = recordedTargetGroupNames(awsCluster, role);
  const [, ...additional] = listeners;
  const added = actions.flatMap((action) => {
    if (action.type !== 'CreateTargetGroup' || known.includes(action.name)) return [];
    const listener = additional.find(({ targetGroup }) => targetGroup.names.includes(action.name));
    return listener ? [listenerStatus(vpcId, listener, { name: action.name, ipType: action.group.ipType })] : [];
  });
  const isNew = role === 'secondary' && record?.name === undefined && actions.length > 0;
  if (!isNew && added.length === 0) return awsCluster;
  const elbListeners = [...(record?.elbListeners ?? []), ...added];
  return withBalancerRecord(awsCluster, role, { ...record, ...(isNew ? { name } : {}), elbListeners });
};
