import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import { soonest } from '../../../../shared/plan/duties/retry.ts';
import type { Service } from '../../../../shared/plan/services/service.ts';
import { ABSENCE_GRACE_SECONDS } from '../../../../shared/providers/aws/plan/drift/states.ts';
import {
  isClassicType,
  isNetworkType,
  isServedElsewhere,
  ServiceProblem,
} from '../../../../shared/providers/aws/services/annotations.ts';
import { desiredClassic, namedGroups } from '../../../../shared/providers/aws/services/classic/desired.ts';
import { checkNamedGroups } from '../../../../shared/providers/aws/services/classic/groups.ts';
import { desiredService, wantedInstances } from '../../../../shared/providers/aws/services/desired.ts';
import { delayedTargets, unreachedTargets } from '../../../../shared/providers/aws/services/reach.ts';
import type { Owner } from '../../../../shared/providers/aws/services/service-tags.ts';
import type { BalancerPort, BalancerResult, BalancerWork } from '../../ports.ts';
import type { ServiceCalls, ServiceDependencies } from './dependencies.ts';
import { type Facts, readFacts } from './facts.ts';
import type { ActionType, Job, Sight } from './job.ts';
import { openRules } from './open-rules.ts';
import { type GroupLeft, removeGroups } from './remove-groups.ts';
import { type Settled, settleServices } from './settle-services.ts';

/** A load balancer in one of these states has an address that will work. */
const WORKING = ['provisioning', 'active'];

/** Throws ServiceProblem. */
const desiredOf = (owner: Owner, service: Service, ids: readonly string[], facts: Facts) => {
  const desired = isNetworkType(service) ? desiredService(owner, service, ids) : desiredClassic(owner, service, ids);
  if (desired.type === 'classic') checkNamedGroups(owner.cluster, namedGroups(service), facts.namedGroups);
  return { desired, unreached: unreachedTargets(ids, facts.instances, facts.groups) };
};

const jobOf = (owner: Owner, service: Service, { nodes, now }: BalancerWork, facts: Facts): Job => {
  const all = wantedInstances(service, nodes);
  const instanceIds = all.filter((id) => facts.instances.has(id));
  const delay = delayedTargets(all, nodes, facts.late, now);
  const base = { service, instanceIds, ...(delay ? { retry: delay.retry } : {}) };
  try {
    const { desired, unreached } = desiredOf(owner, service, instanceIds, facts);
    const warnings = [unreached, delay?.warning].filter((text) => text !== undefined);
    return { ...base, desired, ...(warnings.length > 0 ? { warning: warnings.join('; ') } : {}) };
  } catch (error) {
    if (!(error instanceof ServiceProblem)) throw error;
    return { ...base, problem: error };
  }
};

const jobsOf = (owner: Owner, work: BalancerWork, facts: Facts): Job[] => [
  ...work.leaving.map((service) => ({ service })),
  ...work.wanted.map((service) => jobOf(owner, service, work, facts)),
];

const CHANGES_OF_TARGETS: readonly ActionType[] = [
  'RegisterTargets',
  'DeregisterTargets',
  'RegisterInstances',
  'DeregisterInstances',
];

/** A classic load balancer has its address from its creation on, and no state. */
const hostsOf = ({ balancer, classic }: Sight): string[] => {
  const { dnsName = '', state = '' } = balancer ?? {};
  const host = WORKING.includes(state) ? dnsName : (classic?.dnsName ?? '');
  return host === '' ? [] : [host];
};

/** Obstacles to a result although all calls for the load balancer itself succeeded. */
interface Obstacles {
  /** The reason why the rules of the nodes' groups are not as the Service needs them. */
  readonly rules: string | undefined;
  /** The reason why its own security group still exists. */
  readonly group: GroupLeft | undefined;
}

/**
 * Whether the load balancer of a new Service may exist although AWS did not show it. Without the finalizer, nothing would
 * delete it. A security group that could be deleted had no load balancer.
 */
const mayBeUnseen = ({ job: { service }, observed: { ownGroup }, done }: Settled, now: Date): boolean => {
  const isKnown = ownGroup !== undefined || done.includes('DeleteBalancer') || done.includes('DeleteClassic');
  const age = now.getTime() - Date.parse(service.createdAt ?? '');
  return !isKnown && age < ABSENCE_GRACE_SECONDS * 1000;
};

const resultOf = (settled: Settled, { rules, group }: Obstacles, now: Date): BalancerResult => {
  const { job, observed, done, failure } = settled;
  if (failure) return { outcome: 'failed', ...failure, retry: soonest(failure.retry, job.retry) };
  if (rules !== undefined) return { outcome: 'failed', message: rules, retry: 'soon' };
  if (group) return group.isWaiting ? { outcome: 'waiting' } : { outcome: 'failed', ...group, retry: 'soon' };
  if (!job.desired) return { outcome: mayBeUnseen(settled, now) ? 'waiting' : 'removed' };
  if (observed.balancer?.state === 'failed') {
    return { outcome: 'failed', message: `load balancer ${job.desired.name} failed in AWS`, retry: 'soon' };
  }
  return {
    outcome: 'ready',
    hosts: hostsOf(observed),
    targets: job.desired.instanceIds.length,
    isChanged: done.some((type) => !CHANGES_OF_TARGETS.includes(type)),
    hasNewTargets: done.some((type) => CHANGES_OF_TARGETS.includes(type)),
    ...(job.warning === undefined ? {} : { warning: job.warning }),
    ...(job.retry === undefined ? {} : { retry: job.retry }),
  };
};

/** The ids of security groups that Services name, to be read. Invalid names are refused later. */
const groupsNamedBy = (services: readonly Service[]): string[] =>
  services.flatMap((service) => {
    try {
      return namedGroups(service);
    } catch (error) {
      if (error instanceof ServiceProblem) return [];
      throw error;
    }
  });

const settle = async (
  calls: ServiceCalls,
  owner: Owner,
  vpcId: string,
  work: BalancerWork,
): Promise<ReadonlyMap<string, BalancerResult>> => {
  const { cluster } = owner;
  const instanceIds = work.wanted.flatMap((service) => wantedInstances(service, work.nodes));
  const groupIds = groupsNamedBy(work.wanted.filter(isClassicType));
  const named = { instanceIds: [...new Set(instanceIds)], groupIds: [...new Set(groupIds)] };
  const facts = await readFacts(calls, cluster, vpcId, named);
  const jobs = jobsOf(owner, work, facts);
  const settled = await settleServices(calls, cluster, vpcId, facts, jobs);
  const rules = await openRules(calls, facts, settled);
  // A group cannot be deleted while a rule refers to it.
  const isClosed = rules.surplus === undefined;
  const left = isClosed ? await removeGroups(calls, cluster, settled) : new Map<string, GroupLeft>();
  const results = settled.map((one) => {
    const { service, desired } = one.job;
    const lacking = desired && rules.lacking.get(desired.name);
    const obstacles = { rules: lacking ?? rules.surplus, group: left.get(service.uid) };
    return [service.uid, resultOf(one, obstacles, work.now)] as const;
  });
  return new Map(results);
};

/** Load balancers of Services on AWS: classic and network load balancers, as AWS's own cloud provider creates them. */
export const makeBalancerPort = (deps: ServiceDependencies): BalancerPort => ({
  isServedElsewhere,
  settle: async (infrastructure, cluster, work) => {
    const awsCluster = infrastructure as AWSCluster;
    const vpcId = awsCluster.spec.network?.vpc?.id;
    if (vpcId === undefined) throw new ServiceProblem('the cluster has no VPC yet');
    const scope = await deps.scopeOf(awsCluster);
    const calls = {
      balancing: deps.balancing(scope),
      network: deps.network(scope),
      instances: deps.instances(scope),
    };
    return settle(calls, { cluster, tags: awsCluster.spec.additionalTags ?? {} }, vpcId, work);
  },
});
