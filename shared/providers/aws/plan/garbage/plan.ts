import type { ClusterName, Tags } from '../../tags.ts';
import { isBalancingGarbage } from './ownership.ts';
import type { GcTask } from './tasks.ts';

/** A load balancer or target group in the cluster's VPC. */
export interface FoundBalancing {
  kind: 'LoadBalancer' | 'ClassicLoadBalancer' | 'TargetGroup';
  /** The ARN; for a classic load balancer, its name. */
  id: string;
  name: string;
  tags: Tags;
  /** For a target group: the ARNs of the load balancers that forward to it. */
  balancers?: readonly string[];
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

/** Resources with the tags of the cluster, or of controllers in it, that must be collected. */
export const garbageAmong = (
  cluster: ClusterName,
  found: readonly FoundBalancing[],
  tasks: readonly GcTask[],
): FoundBalancing[] =>
  found.filter(({ kind, tags }) => tasks.includes(TASKS[kind]) && isBalancingGarbage(cluster, tags));

/** What can be deleted now: target groups after the load balancers that use them. Empty if nothing is left. */
export const planGarbage = (garbage: readonly FoundBalancing[]): GarbageAction[] => {
  const balancers = garbage.filter(({ kind }) => kind !== 'TargetGroup');
  return (balancers.length > 0 ? balancers : garbage).map(({ kind, id, name }) => ({
    type: `Delete${kind}` as const,
    id,
    name,
  }));
};
