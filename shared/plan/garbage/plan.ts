import type { ClusterName, Tags } from '../../aws/tags.ts';
import { isBalancingGarbage } from './ownership.ts';
import type { GcTask } from './tasks.ts';

/** A load balancer or target group in the cluster's VPC. */
export interface FoundBalancing {
  kind: 'LoadBalancer' | 'ClassicLoadBalancer' | 'TargetGroup';
  /** The ARN; of a classic load balancer its name. */
  id: string;
  name: string;
  tags: Tags;
}

export type GarbageAction =
  | { type: 'DeleteLoadBalancer'; id: string; name: string }
  | { type: 'DeleteClassicLoadBalancer'; id: string; name: string }
  | { type: 'DeleteTargetGroup'; id: string; name: string };

const TASKS: Readonly<Record<FoundBalancing['kind'], GcTask>> = {
  LoadBalancer: 'load-balancer',
  ClassicLoadBalancer: 'load-balancer',
  TargetGroup: 'target-group',
};

/** What goes now: target groups after the load balancers that use them. Empty: nothing of the cluster is left. */
export const planGarbage = (
  cluster: ClusterName,
  found: readonly FoundBalancing[],
  tasks: readonly GcTask[],
): GarbageAction[] => {
  const garbage = found.filter(({ kind, tags }) => tasks.includes(TASKS[kind]) && isBalancingGarbage(cluster, tags));
  const balancers = garbage.filter(({ kind }) => kind !== 'TargetGroup');
  return (balancers.length > 0 ? balancers : garbage).map(({ kind, id, name }) => ({
    type: `Delete${kind}` as const,
    id,
    name,
  }));
};
