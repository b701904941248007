import type { Clock } from '../../../../shared/clock.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import type { BalancingGarbage } from '../../../../shared/providers/aws/api/balancing-garbage.ts';
import type { Ec2Ownership } from '../../../../shared/providers/aws/api/ec2-ownership.ts';
import {
  type FoundBalancing,
  type GarbageAction,
  garbageAmong,
  planGarbage,
} from '../../../../shared/providers/aws/plan/garbage/plan.ts';
import {
  isProvenVpc,
  keptGarbageMessage,
  provenBalancing,
} from '../../../../shared/providers/aws/plan/garbage/proof.ts';
import { gcTasksOf } from '../../../../shared/providers/aws/plan/garbage/tasks.ts';
import type { PerScope } from '../../../../shared/providers/aws/scope.ts';
import { type Actor, act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import { balancingGarbageRecorder } from './reasons.ts';

export interface GarbageDependencies {
  objects: ObjectClient;
  clock: Clock;
  garbage: PerScope<BalancingGarbage>;
  ownership: PerScope<Ec2Ownership>;
}

/** Load balancers, target groups, and a final check; the next pass handles what AWS releases late. */
const MAX_ROUNDS = 4;
const IDLE_MILLISECONDS = 1000;

const WORDS = {
  DeleteLoadBalancer: 'load balancer',
  DeleteClassicLoadBalancer: 'classic load balancer',
  DeleteTargetGroup: 'target group',
} as const;

const actorOf = (
  deps: GarbageDependencies,
  garbage: BalancingGarbage,
  { awsCluster, cluster }: InfrastructureScope,
): Actor<GarbageAction, GarbageAction['type']> => ({
  perform: async (action) => {
    await garbage.delete(action);
    return `Deleted ${WORDS[action.type]} ${action.name}, which the cluster's controllers created`;
  },
  reasonOf: ({ type }) => type,
  recorder: balancingGarbageRecorder(deps),
  regarding: awsCluster ?? cluster,
});

/**
 * The resources that verifiably belong to the cluster, in a VPC that may have those of another cluster with the same
 * name.
 */
const proven = async (
  deps: GarbageDependencies,
  { aws, name }: InfrastructureScope,
  garbage: readonly FoundBalancing[],
): Promise<FoundBalancing[]> => {
  const registrations = await deps.garbage(aws).describeTargets(garbage);
  const ids = [...new Set([...registrations.values()].flat())].filter((id) => id.startsWith('i-'));
  const instances = ids.length > 0 ? await deps.ownership(aws).instanceMarks(ids) : new Map();
  return provenBalancing(name, garbage, registrations, instances);
};

const recordKept = async (
  deps: GarbageDependencies,
  { awsCluster, cluster }: InfrastructureScope,
  vpcId: string,
  kept: readonly FoundBalancing[],
): Promise<void> => {
  if (kept.length === 0) return;
  const words = kept.map(({ kind, name }) => `${WORDS[`Delete${kind}` as const]} ${name}`);
  await balancingGarbageRecorder(deps).warning(awsCluster ?? cluster, 'GarbageKept', keptGarbageMessage(vpcId, words));
};

/**
 * Divides the resources with the cluster's tags into those that are deleted, and those that may belong to another
 * cluster (`kept`).
 */
const judge = async (
  deps: GarbageDependencies,
  scope: InfrastructureScope,
  vpcId: string,
  found: readonly FoundBalancing[],
): Promise<{ own: readonly FoundBalancing[]; kept: readonly FoundBalancing[] }> => {
  if (found.length === 0) return { own: [], kept: [] };
  const isOwnVpc = isProvenVpc(scope.name, await deps.ownership(scope.aws).vpcTags(vpcId));
  const own = isOwnVpc ? found : await proven(deps, scope, found);
  return { own, kept: found.filter((one) => !own.includes(one)) };
};

/**
 * Deletes the load balancers and target groups in the cluster's VPC that controllers in the cluster created, unless an
 * annotation keeps them. In a VPC that is not the cluster's own, it deletes only those whose targets show that they
 * belong to the cluster; the others are kept and listed in an event. Returns what blocks the deletion of the cluster;
 * empty if nothing is left.
 */
export const collectLoadBalancers = async (
  deps: GarbageDependencies,
  scope: InfrastructureScope,
): Promise<readonly string[]> => {
  const vpcId = scope.awsCluster?.spec.network?.vpc?.id;
  const tasks = gcTasksOf(scope.awsCluster);
  if (!vpcId || !tasks.some((task) => task !== 'security-group')) return [];
  const garbage = deps.garbage(scope.aws);
  let blockers: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = garbageAmong(scope.name, await garbage.describeIn(vpcId), tasks);
    const { own, kept } = await judge(deps, scope, vpcId, found);
    const actions = planGarbage(own);
    if (actions.length === 0) {
      await recordKept(deps, scope, vpcId, kept);
      return [];
    }
    if (blockers.length > 0) await deps.clock.sleep(IDLE_MILLISECONDS);
    const outcomes = await act(actorOf(deps, garbage, scope), actions);
    failuresOf(outcomes);
    const late = outcomes.filter(({ verdict }) => verdict !== 'done');
    blockers = late.map(({ action, message }) => `${WORDS[action.type]} ${action.name}: ${message}`);
  }
  return blockers.length > 0 ? blockers : ['load balancers of Services are being deleted'];
};
