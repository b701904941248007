import type { V1Node } from '@kubernetes/client-node';
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import type { Service } from '../../../../shared/plan/services/service.ts';
import { isServedElsewhere, ServiceProblem } from '../../../../shared/providers/aws/services/annotations.ts';
import { desiredService, wantedInstances } from '../../../../shared/providers/aws/services/desired.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { BalancerPort, BalancerResult, BalancerWork } from '../../ports.ts';
import type { ServiceCalls, ServiceDependencies } from './dependencies.ts';
import { type Facts, readFacts } from './facts.ts';
import { openRules } from './open-rules.ts';
import { failureOf, type Job, type Settled, settleServices } from './settle-services.ts';

/** A load balancer in one of these states has an address that will work. */
const WORKING = ['provisioning', 'active'];

const desiredOf = (cluster: ClusterName, service: Service, nodes: readonly V1Node[], facts: Facts): Job => {
  const ids = wantedInstances(service, nodes).filter((id) => facts.instances.has(id));
  const isOpenable = (id: string) =>
    facts.instances.get(id)?.groupIds.some((own) => facts.groups.some((group) => group.id === own));
  const desired = desiredService(cluster, service, ids);
  if (!ids.every(isOpenable)) {
    throw new ServiceProblem(
      'the nodes are in no security group that Windlass made for load balancers (role lb), so they cannot be reached; remove lb from spec.network.securityGroupOverrides of the AWSCluster',
    );
  }
  return { service, desired };
};

const jobsOf = (cluster: ClusterName, { wanted, leaving, nodes }: BalancerWork, facts: Facts) => {
  const jobs: Job[] = leaving.map((service) => ({ service }));
  const refused: [string, BalancerResult][] = [];
  for (const service of wanted) {
    try {
      jobs.push(desiredOf(cluster, service, nodes, facts));
    } catch (error) {
      if (!(error instanceof ServiceProblem)) throw error;
      refused.push([service.uid, { outcome: 'failed', ...failureOf(error) }]);
    }
  }
  return { jobs, refused };
};

const CHANGES_OF_TARGETS = ['RegisterTargets', 'DeregisterTargets'];

const resultOf = ({ job, observed, done, failure }: Settled, rules: string | undefined): BalancerResult => {
  if (failure) return { outcome: 'failed', ...failure };
  if (rules !== undefined) return { outcome: 'failed', message: rules, isFinal: false };
  if (!job.desired) return { outcome: 'removed' };
  const { dnsName = '', state = '' } = observed.balancer ?? {};
  if (state === 'failed') {
    return { outcome: 'failed', message: `load balancer ${job.desired.name} failed in AWS`, isFinal: false };
  }
  return {
    outcome: 'ready',
    hosts: dnsName !== '' && WORKING.includes(state) ? [dnsName] : [],
    targets: job.desired.instanceIds.length,
    isChanged: done.some((type) => !CHANGES_OF_TARGETS.includes(type)),
    hasNewTargets: done.some((type) => CHANGES_OF_TARGETS.includes(type)),
  };
};

const settle = async (
  calls: ServiceCalls,
  cluster: ClusterName,
  vpcId: string,
  work: BalancerWork,
): Promise<ReadonlyMap<string, BalancerResult>> => {
  const named = work.wanted.flatMap((service) => wantedInstances(service, work.nodes));
  const facts = await readFacts(calls, cluster, vpcId, [...new Set(named)]);
  const { jobs, refused } = jobsOf(cluster, work, facts);
  const settled = await settleServices(calls, cluster, vpcId, facts, jobs);
  const rules = await openRules(calls, facts, settled);
  return new Map([...refused, ...settled.map((one) => [one.job.service.uid, resultOf(one, rules)] as const)]);
};

/** Load balancers of Services on AWS: network load balancers, as AWS's own cloud provider makes them. */
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
    return settle(calls, cluster, vpcId, work);
  },
});
