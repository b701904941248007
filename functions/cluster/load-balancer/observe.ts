import type { Elbv2Reads, Elbv2Writes } from '../../../shared/aws/elbv2.ts';
import type { AwsScope } from '../../../shared/aws/scope.ts';
import { type ClusterName, isOwnedBy } from '../../../shared/aws/tags.ts';
import type {
  DesiredLoadBalancing,
  DesiredTargetGroup,
  FoundTargetGroup,
  ObservedListener,
  ObservedLoadBalancing,
} from '../../../shared/plan/load-balancer/model.ts';
import { fits } from '../../../shared/plan/load-balancer/plan-target-groups.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';

/** One load balancer as it is, and what changes it. */
export interface Balancing {
  elb: Elbv2Writes;
  observed: ObservedLoadBalancing;
}

/** What to look for besides what hangs on the load balancer already. */
export interface Sought {
  loadBalancer: string;
  groups: readonly Pick<DesiredTargetGroup, 'names' | 'prefix' | 'port' | 'ipType'>[];
  /** Looked up whatever they are. */
  recorded: readonly string[];
}

/** What to look for where a load balancer is to be as `desired`. */
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

/** Looks names up in order of preference, until one fits and is ours, or is free. */
const findByName = async (
  elbv2: Elbv2Reads,
  cluster: ClusterName,
  sought: Sought['groups'][number],
): Promise<FoundTargetGroup[]> => {
  const found: FoundTargetGroup[] = [];
  for (const name of sought.names) {
    const group = await elbv2.describeTargetGroup(name);
    if (!group) break;
    found.push(group);
    if (fits(sought, group) && isOwnedBy(cluster, (await elbv2.describeTags([group.arn])).get(group.arn) ?? {})) break;
  }
  return found;
};

const findRecorded = async (elbv2: Elbv2Reads, names: readonly string[]): Promise<FoundTargetGroup[]> =>
  (await Promise.all(names.map((name) => elbv2.describeTargetGroup(name)))).flatMap((group) => group ?? []);

const distinct = <T extends { arn: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.arn, item])).values(),
];

const findGroups = async (
  elbv2: Elbv2Reads,
  cluster: ClusterName,
  { groups, recorded }: Sought,
  { attached, listeners }: { attached: FoundTargetGroup[]; listeners: ObservedListener[] },
): Promise<FoundTargetGroup[]> => {
  const missing = groups.filter((group) => !isServed(group, attached, listeners));
  const named = (await Promise.all(missing.map((group) => findByName(elbv2, cluster, group)))).flat();
  const known = [...attached, ...named].map(({ name }) => name);
  const rest = recorded.filter((name) => !known.includes(name));
  return distinct([...attached, ...named, ...(await findRecorded(elbv2, rest))]);
};

/**
 * One snapshot: the load balancer of the name with its listeners, the target groups behind them, and where one is missing
 * there, those of the names that it may have.
 */
export const observeLoadBalancing = async (
  elbv2: Elbv2Reads,
  cluster: ClusterName,
  sought: Sought,
): Promise<ObservedLoadBalancing> => {
  const found = await elbv2.describeLoadBalancer(sought.loadBalancer);
  const [attributes, listeners, attached] = found
    ? await Promise.all([
        elbv2.describeLoadBalancerAttributes(found.arn),
        elbv2.describeListeners(found.arn),
        elbv2.describeTargetGroupsOf(found.arn),
      ])
    : [{}, [], []];
  const groups = await findGroups(elbv2, cluster, sought, { attached, listeners });
  const arns = [...(found ? [found.arn] : []), ...groups.map(({ arn }) => arn)];
  const tags = arns.length > 0 ? await elbv2.describeTags(arns) : new Map();
  const targetGroups = await Promise.all(
    groups.map(async (group) => {
      const [groupAttributes, targets] = await Promise.all([
        elbv2.describeTargetGroupAttributes(group.arn),
        elbv2.describeTargets(group.arn),
      ]);
      return { ...group, tags: tags.get(group.arn) ?? {}, attributes: groupAttributes, targets };
    }),
  );
  const loadBalancer = found && { ...found, tags: tags.get(found.arn) ?? {}, attributes };
  return { ...(loadBalancer ? { loadBalancer } : {}), targetGroups, listeners };
};

/** The load balancer that is sought, of whichever generation. */
export const lookAt = async (
  deps: Pick<LoadBalancerDependencies, 'elbv2' | 'classicElb'>,
  { aws, name }: { aws: AwsScope; name: ClusterName },
  type: DesiredLoadBalancing['type'],
  sought: Sought,
): Promise<Balancing> => {
  if (type === 'classic') {
    const elb = deps.classicElb(aws);
    return { elb, observed: await elb.observe(sought.loadBalancer) };
  }
  const elb = deps.elbv2(aws);
  return { elb, observed: await observeLoadBalancing(elb, name, sought) };
};
