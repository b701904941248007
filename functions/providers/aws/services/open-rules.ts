import { describeAwsError, isAlreadyExists, isNotFound } from '../../../../shared/aws/errors.ts';
import type {
  IngressPermission,
  SecurityGroupAction,
} from '../../../../shared/providers/aws/network/security-groups/model.ts';
import { groupsOf } from '../../../../shared/providers/aws/services/classic/groups.ts';
import { serviceBalancerName } from '../../../../shared/providers/aws/services/names.ts';
import { classicRules, networkRules, planRules } from '../../../../shared/providers/aws/services/rules.ts';
import type { ServiceCalls } from './dependencies.ts';
import type { Facts } from './facts.ts';
import type { Settled } from './settle-services.ts';

const blocksOf = ({ subnets }: Facts, ids: readonly string[]): string[] =>
  subnets.filter(({ id }) => ids.includes(id)).map(({ cidrBlock }) => cidrBlock);

/** The rules that the load balancer of a Service needs where its nodes are; none before it exists. */
const rulesFor = (
  facts: Facts,
  { job: { desired }, observed: { balancer, classic, ownGroup } }: Settled,
): IngressPermission[] => {
  if (desired?.type === 'network' && balancer) {
    return networkRules({ desired, subnetBlocks: blocksOf(facts, balancer.subnetIds) });
  }
  if (desired?.type !== 'classic' || !classic) return [];
  const [source] = groupsOf(desired, ownGroup);
  return source === undefined ? [] : classicRules(desired.name, source);
};

/** The rules of the load balancers that send to an instance in the group. */
const rulesIn = (facts: Facts, groupId: string, settled: readonly Settled[]): IngressPermission[] =>
  settled.flatMap((one) => {
    const isInside = (id: string) => facts.instances.get(id)?.groupIds.includes(groupId) === true;
    return one.job.desired?.instanceIds.some(isInside) ? rulesFor(facts, one) : [];
  });

const carryOut = async ({ network }: ServiceCalls, action: SecurityGroupAction): Promise<void> => {
  try {
    if (action.type === 'AuthorizeIngress') await network.authorizeIngress(action.groupId, action.permissions);
    if (action.type === 'RevokeIngress') await network.revokeIngress(action.groupId, action.permissions);
  } catch (error) {
    // Another run was faster; the next pass compares again.
    if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
  }
};

/**
 * Opens the nodes' security groups for the load balancers, and closes them where one has gone. Rules of Services that have
 * failed stay. Returns why the rules could not be changed; undefined: they are as desired.
 */
export const openRules = async (
  calls: ServiceCalls,
  facts: Facts,
  settled: readonly Settled[],
): Promise<string | undefined> => {
  const well = settled.filter(({ failure }) => failure === undefined);
  // One that is still there after a removal is not this Service's, and neither are its rules.
  const isKnown = ({ job, observed: { balancer, classic } }: Settled) =>
    job.desired !== undefined || (balancer === undefined && classic === undefined);
  const names = new Set(well.filter(isKnown).map(({ job }) => serviceBalancerName(job.service)));
  try {
    for (const group of facts.groups) {
      const actions = planRules(group, rulesIn(facts, group.id, well), names);
      for (const action of actions) await carryOut(calls, action);
    }
    return undefined;
  } catch (error) {
    return `the rules of the nodes' security group: ${describeAwsError(error)}`;
  }
};
