/** The public addresses of an API load balancer, from the pool that the cluster's VPC names. */
import { RefusedError, TransientError } from '../../../../shared/errors.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { DesiredLoadBalancing } from '../../../../shared/providers/aws/load-balancer/desired-balancing.ts';
import { readIntents } from '../../../../shared/providers/aws/network/intents.ts';
import { planAddresses } from '../../../../shared/providers/aws/plan/addresses/plan.ts';
import { addressTags } from '../../../../shared/providers/aws/plan/launch/address.ts';
import { allocateAddresses, poolFacts, releaseAddresses } from '../addresses.ts';
import type { LiveScope } from '../infrastructure/scope.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';
import { recorder } from './reasons.ts';

const PURPOSE = 'lb';
/** The tag value for finding the addresses again, the same as upstream's. */
const ROLE = 'lb-apiserver';
const FIELD = 'spec.network.vpc.elasticIpPool.publicIpv4Pool';

/**
 * The ids of one address for each subnet of the load balancer, allocated once each if they are missing; empty if there
 * is no pool. Throws RefusedError if the pool has too few addresses, or if they are still associated with another
 * resource, and TransientError if an address may have been allocated but is not visible yet.
 */
export const takeAddresses = async (
  deps: LoadBalancerDependencies,
  { awsCluster, name, aws }: Pick<LiveScope, 'awsCluster' | 'name' | 'aws'>,
  { addressPool, subnetIds }: Pick<DesiredLoadBalancing, 'addressPool' | 'subnetIds'>,
): Promise<string[]> => {
  if (!addressPool) return [];
  const ec2 = deps.addresses(aws);
  // Before the read: an intent that expires during the read says nothing about its result.
  const now = deps.clock.now();
  const held = await ec2.heldAddresses(name, ROLE);
  const bound = held.filter(({ boundTo }) => boundTo !== undefined);
  if (bound.length > 0) {
    const leads = bound.map(({ allocationId, boundTo }) => `${allocationId} to ${boundTo}`).join(', ');
    throw new RefusedError(
      `${FIELD}: addresses of an earlier load balancer are still associated with other resources: ${leads}`,
    );
  }
  const situation = { wanted: subnetIds.length, held, now };
  const intents = readIntents(awsCluster.metadata.annotations);
  const plan = planAddresses(PURPOSE, { ...situation, ...(await poolFacts(ec2, addressPool)), intents });
  if (plan.problem) throw new RefusedError(`${FIELD}: ${plan.problem}`);
  const all = { ...deps, ec2, recorder: recorder(deps) };
  await releaseAddresses(all, awsCluster, plan.surplus);
  const owner = { resource: kinds.awsCluster, object: awsCluster };
  const made = await allocateAddresses(all, owner, plan, addressTags(name, awsCluster, ROLE));
  const ids = [...plan.ready.map(({ allocationId }) => allocationId), ...made];
  if (ids.length < subnetIds.length)
    throw new TransientError(`${FIELD}: addresses may have been allocated and are not visible yet`);
  return ids;
};
