import { describeAwsError, isAlreadyExists, isNotFound, isQuotaExceeded } from '../../../../shared/aws/errors.ts';
import type {
  IngressPermission,
  ObservedSecurityGroup,
} from '../../../../shared/providers/aws/network/security-groups/model.ts';
import { groupsOf } from '../../../../shared/providers/aws/services/classic/groups.ts';
import { serviceBalancerName } from '../../../../shared/providers/aws/services/names.ts';
import {
  classicRules,
  lackingRules,
  networkRules,
  type RuleNeed,
  surplusRules,
} from '../../../../shared/providers/aws/services/rules.ts';
import type { Tags } from '../../../../shared/providers/aws/tags.ts';
import type { ServiceCalls } from './dependencies.ts';
import type { Facts } from './facts.ts';
import type { Settled } from './settle-services.ts';

const blocksOf = ({ subnets }: Facts, ids: readonly string[]): string[] =>
  subnets.filter(({ id }) => ids.includes(id)).map(({ cidrBlock }) => cidrBlock);

/** The rules that the load balancer of a Service needs in the groups of its nodes; none before it exists. */
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

/** A rule with the tags of its load balancer, which the rule gets as well. */
type TaggedNeed = RuleNeed & { readonly tags: Tags };

/** The rules in a group for the load balancers that send to an instance in it. */
const needsIn = (facts: Facts, groupId: string, settled: readonly Settled[]): TaggedNeed[] =>
  settled.flatMap((one) => {
    const isInside = (id: string) => facts.instances.get(id)?.groupIds.includes(groupId) === true;
    if (!one.job.desired?.instanceIds.some(isInside)) return [];
    const { name, tags } = one.job.desired;
    return [{ name, tags, rules: rulesFor(facts, one) }];
  });

type ChangeRules = (rules: readonly IngressPermission[]) => Promise<void>;

/**
 * The error of a call that adds or removes rules. That a concurrent run has changed one of them is no error, but EC2 has
 * then changed none of the others either, so each gets its own call.
 */
const attempt = async (change: ChangeRules, rules: readonly IngressPermission[]): Promise<unknown> => {
  try {
    await change(rules);
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error) && !isNotFound(error)) return error;
  }
  if (rules.length === 1) return undefined;
  for (const rule of rules) {
    const error = await attempt(change, [rule]);
    if (error !== undefined) return error;
  }
  return undefined;
};

/** Errors by the names of load balancers. */
type Failures = Map<string, unknown>;

/**
 * Adds the missing rules of each load balancer, with one call for each: EC2 adds either all rules of a call or none,
 * and the rules of one load balancer may exceed the quota.
 */
const open = async (
  { network }: ServiceCalls,
  groupId: string,
  present: IngressPermission[],
  needs: readonly TaggedNeed[],
): Promise<Failures> => {
  const failures: Failures = new Map();
  for (const need of needs) {
    const lacking = lackingRules(present, need);
    if (lacking.length === 0) continue;
    const error = await attempt((rules) => network.authorizeIngress(groupId, rules, need.tags), lacking);
    if (error === undefined) present.push(...lacking);
    else failures.set(need.name, error);
  }
  return failures;
};

/**
 * Adds rules to a group before it removes others, so that a load balancer whose rules change is never cut off. Rules
 * that exceed the quota are tried again after others are removed. Throws the errors of the removal.
 */
const settleGroup = async (
  calls: ServiceCalls,
  { id, ingress }: ObservedSecurityGroup,
  needs: readonly TaggedNeed[],
  settled: readonly string[],
): Promise<Failures> => {
  const present = [...ingress];
  const failures = await open(calls, id, present, needs);
  const isExcess = (name: string) => isQuotaExceeded(failures.get(name));
  // The existing rules of a load balancer stay until it can have the rules that it needs.
  const known = settled.filter((name) => !failures.has(name) || isExcess(name));
  const { revoked, inherited } = surplusRules(ingress, needs, new Set(known));
  if (revoked.length === 0) return failures;
  const error = await attempt((rules) => calls.network.revokeIngress(id, rules), revoked);
  if (error !== undefined) throw error;
  const left = present.filter((rule) => !revoked.includes(rule));
  const tagsOf = (name: string): Tags => needs.find((need) => need.name === name)?.tags ?? {};
  const taken = inherited.map((need) => ({ ...need, tags: tagsOf(need.name) }));
  const again = await open(calls, id, left, [...taken, ...needs.filter(({ name }) => isExcess(name))]);
  return new Map([...[...failures].filter(([name]) => !isExcess(name)), ...again]);
};

/** The reasons why the rules are not as desired, in words. */
export interface RuleFailures {
  /** By the names of the load balancers with missing rules. */
  readonly lacking: ReadonlyMap<string, string>;
  /** The reason why unneeded rules still exist. */
  readonly surplus: string | undefined;
}

const textOf = (error: unknown): string => `the rules of the nodes' security group: ${describeAwsError(error)}`;

/**
 * Adds rules for the load balancers to the nodes' security groups, and removes those of deleted load balancers. Rules
 * of Services that have failed stay.
 */
export const openRules = async (
  calls: ServiceCalls,
  facts: Facts,
  settled: readonly Settled[],
): Promise<RuleFailures> => {
  const well = settled.filter(({ failure }) => failure === undefined);
  // A load balancer that still exists after a removal does not belong to this Service, and neither do its rules.
  const isKnown = ({ job, observed: { balancer, classic } }: Settled) =>
    job.desired !== undefined || (balancer === undefined && classic === undefined);
  const names = well.filter(isKnown).map(({ job }) => serviceBalancerName(job.service));
  const lacking = new Map<string, string>();
  let surplus: string | undefined;
  for (const group of facts.groups) {
    try {
      const failures = await settleGroup(calls, group, needsIn(facts, group.id, well), names);
      for (const [name, error] of failures) lacking.set(name, textOf(error));
    } catch (error) {
      surplus = textOf(error);
    }
  }
  return { lacking, surplus };
};
