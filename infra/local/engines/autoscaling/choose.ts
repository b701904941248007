/** Selects the instance that a group gives up first. Source: the guide, "Configure termination policies". */

import type { Group, Member } from './records.ts';
import { sourceOf } from './refresh/active.ts';
import type { AutoScaling } from './state.ts';
import { lookUp } from './template.ts';

const HOUR = 3_600_000;

/** Instances with a lower rank are terminated first. */
type Rank = (as: AutoScaling, group: Group, member: Member) => number;

/**
 * Instances of other templates count as older than those of the group's template, and lower versions as older than
 * higher ones.
 */
const templateAge: Rank = (as, group, { template }) => {
  const current = lookUp(as, sourceOf(group));
  if (!template || template.id !== current?.id) return -1;
  return template.version;
};

const RANKS: Readonly<Record<string, Rank>> = {
  OldestInstance: (_as, _group, { launchedAt }) => launchedAt,
  NewestInstance: (_as, _group, { launchedAt }) => -launchedAt,
  OldestLaunchTemplate: templateAge,
  // There are no launch configurations here, so all instances are equal.
  OldestLaunchConfiguration: () => 0,
  ClosestToNextInstanceHour: (as, _group, { launchedAt }) => HOUR - ((as.now() - launchedAt) % HOUR),
  // `surplusMarket` identifies Spot and On-Demand instances beyond the group's distribution.
  AllocationStrategy: () => 0,
};

const RANKS_OF_DEFAULT = ['AllocationStrategy', 'OldestLaunchTemplate', 'ClosestToNextInstanceHour'];

export const TERMINATION_POLICIES: readonly string[] = ['Default', ...Object.keys(RANKS)];

/** Those with the lowest rank. */
const lowest = (as: AutoScaling, group: Group, members: readonly Member[], rank: Rank): Member[] => {
  const ranks = members.map((member) => rank(as, group, member));
  const least = Math.min(...ranks);
  return members.filter((_, index) => ranks[index] === least);
};

/** The instances on the market of which a mixed group has more than its distribution requires, if there are any. */
const surplusMarket = (group: Group, active: readonly Member[], candidates: readonly Member[]): Member[] => {
  const distribution = group.source.mixed?.InstancesDistribution;
  if (!distribution) return [...candidates];
  const { OnDemandBaseCapacity: base = 0, OnDemandPercentageAboveBaseCapacity: percentage = 100 } = distribution;
  const wanted = Math.min(group.desired, base) + Math.ceil((Math.max(0, group.desired - base) * percentage) / 100);
  const have = active.filter(({ isSpot }) => !isSpot).length;
  const surplus = candidates.filter(({ isSpot }) => isSpot === have <= wanted);
  return surplus.length > 0 ? surplus : [...candidates];
};

/** Those in the zone with the most active instances. */
const inFullestZone = (active: readonly Member[], candidates: readonly Member[]): Member[] => {
  const size = (zone: string) => active.filter((member) => member.zone === zone).length;
  const most = Math.max(...candidates.map(({ zone }) => size(zone)));
  return candidates.filter(({ zone }) => size(zone) === most);
};

/**
 * The instance of `active` that is terminated next, or undefined if all are protected from scale-in: in the zone with
 * the most instances, by the group's policies in their order, and finally the oldest one.
 */
export const chooseVictim = (as: AutoScaling, group: Group, active: readonly Member[]): Member | undefined => {
  const free = active.filter(({ isProtected }) => !isProtected);
  if (free.length === 0) return undefined;
  let candidates = inFullestZone(active, free);
  const policies = group.terminationPolicies.flatMap((policy) => (policy === 'Default' ? RANKS_OF_DEFAULT : [policy]));
  for (const policy of policies) {
    if (policy === 'AllocationStrategy') candidates = surplusMarket(group, active, candidates);
    const rank = RANKS[policy];
    if (rank) candidates = lowest(as, group, candidates, rank);
  }
  return candidates.toSorted((a, b) => a.launchedAt - b.launchedAt || (a.id < b.id ? -1 : 1))[0];
};
