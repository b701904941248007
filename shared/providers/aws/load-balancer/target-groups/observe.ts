import type { Elbv2Reads } from '../api.ts';
import type { DesiredLoadBalancing } from '../desired-balancing.ts';
import type { ObservedListener } from '../listeners/model.ts';
import type { DesiredTargetGroup, FoundTargetGroup } from './model.ts';
import { fits } from './plan.ts';

/** What is looked up in addition to the groups of the load balancer. */
export interface Sought {
  loadBalancer: string;
  groups: readonly Pick<DesiredTargetGroup, 'names' | 'prefix' | 'port' | 'ipType' | 'mayStay'>[];
  /** Always looked up. */
  recorded: readonly string[];
}

/** What is looked up for a load balancer with the desired state `desired`. */
export const soughtOf = ({ name, listeners, recordedGroups }: DesiredLoadBalancing): Sought => ({
  loadBalancer: name,
  groups: listeners.map(({ targetGroup }) => targetGroup),
  recorded: recordedGroups,
});

const isServed = (
  sought: Sought['groups'][number],
  attached: readonly FoundTargetGroup[],
  listeners: readonly ObservedListener[],
): boolean =>
  attached.some(
    (group) =>
      group.name.startsWith(sought.prefix) &&
      fits(sought, group) &&
      listeners.some(({ targetGroupArn }) => targetGroupArn === group.arn),
  );

/** Looks up names in order of preference, until one belongs to a matching group of ours or is free. */
const findByName = async (
  elbv2: Elbv2Reads,
  isOurs: (arn: string) => Promise<boolean>,
  sought: Sought['groups'][number],
): Promise<FoundTargetGroup[]> => {
  const found: FoundTargetGroup[] = [];
  for (const name of sought.names) {
    const group = await elbv2.describeTargetGroup(name);
    if (!group) break;
    found.push(group);
    if (fits(sought, group) && (await isOurs(group.arn))) break;
  }
  return found;
};

const findRecorded = async (elbv2: Elbv2Reads, names: readonly string[]): Promise<FoundTargetGroup[]> =>
  (await Promise.all(names.map((name) => elbv2.describeTargetGroup(name)))).flatMap((group) => group ?? []);

const distinct = <T extends { arn: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.arn, item])).values(),
];

/** The groups behind the listeners; for missing ones, those with a possible name. */
export const findGroups = async (
  elbv2: Elbv2Reads,
  isOurs: (arn: string) => Promise<boolean>,
  { groups, recorded }: Sought,
  { attached, listeners }: { attached: FoundTargetGroup[]; listeners: ObservedListener[] },
): Promise<FoundTargetGroup[]> => {
  const missing = groups.filter((group) => !isServed(group, attached, listeners));
  const named = (await Promise.all(missing.map((group) => findByName(elbv2, isOurs, group)))).flat();
  const known = [...attached, ...named].map(({ name }) => name);
  const rest = recorded.filter((name) => !known.includes(name));
  return distinct([...attached, ...named, ...(await findRecorded(elbv2, rest))]);
};
