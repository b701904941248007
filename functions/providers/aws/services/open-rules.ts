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

/** With the tags of the load balancer, which its rules get as well. */
type TaggedNeed = RuleNeed & { readonly tags: Tags };

/** What the load balancers that send to an instance in the group need there. */
const needsIn = (facts: Facts, groupId: string, settled: readonly Settled[]): TaggedNeed[] =>
  settled.flatMap((one) => {
    const isInside = (id: string) => facts.instances.get(id)?.groupIds.includes(groupId) === true;
    if (!one.job.desired?.instanceIds.some(isInside)) return [];
    const { name, tags } = one.job.desired;
    return [{ name, tags, rules: rulesFor(facts, one) }];
  });

/** What another run has done meanwhile is no error; the next pass compares again. */
const attempt = async (call: Promise<void>): Promise<unknown> => {
  try {
    await call;
    return undefined;
  } catch (error) {
    return isAlreadyExists(error) || isNotFound(error) ? undefined : error;
  }
};

/** Errors by the names of load balancers. */
type Failures = Map<string, unknown>;

/**
 * Writes what each load balancer lacks, in a call for each: EC2 writes all rules of a call or none, and those of one load
 * balancer may exceed the quota.
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
    const error = await attempt(network.authorizeIngress(groupId, lacking, need.tags));
    if (error === undefined) present.push(...lacking);
    else failures.set(need.name, error);
  }
  return failures;
};

/**
 * First opens and then closes a group, so that a load balancer whose rules change is never cut off. Rules that the quota
 * prevents are tried again when others are gone. Throws what the closing throws.
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
  // What a load balancer has stays until it can have what it needs.
  const known = settled.filter((name) => !failures.has(name) || isExcess(name));
  const { revoked, inherited } = surplusRules(ingress, needs, new Set(known));
  if (revoked.length === 0) return failures;
  const error = await attempt(calls.network.revokeIngress(id, revoked));
  if (error !== undefined) throw error;
  const left = present.filter((rule) => !revoked.includes(rule));
  const tagsOf = (name: string): Tags => needs.find((need) => need.name === name)?.tags ?? {};
  const taken = inherited.map((need) => ({ ...need, tags: tagsOf(need.name) }));
  const again = await open(calls, id, left, [...taken, ...needs.filter(({ name }) => isExcess(name))]);
  return new Map([...[...failures].filter(([name]) => !isExcess(name)), ...again]);
};

/** Why the rules are not as desired, in words. */
export interface RuleFailures {
  /** By the names of the load balancers that lack some. */
  readonly lacking: ReadonlyMap<string, string>;
  /** Why some that nothing needs are still there. */
  readonly surplus: string | undefined;
}

const textOf = (error: unknown): string => `the rules of the nodes' security group: ${describeAwsError(error)}`;

/**
 * Opens the nodes' security groups for the load balancers, and closes them where one has gone. Rules of Services that have
 * failed stay.
 */
export const openRules = async (
  calls: ServiceCalls,
  facts: Facts,
  settled: readonly Settled[],
): Promise<RuleFailures> => {
  const well = settled.filter(({ failure }) => failure === undefined);
  // One that is still there after a removal is not this Service's, and neither are its rules.
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
