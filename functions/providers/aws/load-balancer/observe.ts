import type { Elbv2Reads } from '../../../../shared/providers/aws/api/elbv2-reads.ts';
import type { Elbv2Writes } from '../../../../shared/providers/aws/api/elbv2-writes.ts';
import { servingGroups } from '../../../../shared/providers/aws/plan/drift/targets.ts';
import type {
  DesiredLoadBalancing,
  DesiredTargetGroup,
  FoundTargetGroup,
  ObservedListener,
  ObservedLoadBalancing,
} from '../../../../shared/providers/aws/plan/load-balancer/model.ts';
import { fits } from '../../../../shared/providers/aws/plan/load-balancer/plan-target-groups.ts';
import type { AwsScope } from '../../../../shared/providers/aws/scope.ts';
import { type ClusterName, isOwnedBy, type Tags } from '../../../../shared/providers/aws/tags.ts';
import type { LoadBalancerDependencies } from './dependencies.ts';

/** One load balancer as it is, and what changes it. */
export interface Balancing {
  elb: Elbv2Writes;
  observed: ObservedLoadBalancing;
  /** The same with the targets of its groups. */
  withTargets(): Promise<ObservedLoadBalancing>;
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

/** Tags by ARN, each asked for once, those of `first` along with whatever is asked for first. */
const makeTags = (elbv2: Elbv2Reads, first: readonly string[]) => {
  const known = new Map<string, Tags>();
  return async (arns: readonly string[]): Promise<ReadonlyMap<string, Tags>> => {
    const open = [...new Set([...first, ...arns])].filter((arn) => !known.has(arn));
    if (open.length === 0) return known;
    const found = await elbv2.describeTags(open);
    for (const arn of open) known.set(arn, found.get(arn) ?? {});
    return known;
  };
};

/** Looks names up in order of preference, until one fits and is ours, or is free. */
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

const findGroups = async (
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

/**
 * One snapshot: the load balancer of the name with its listeners, the target groups behind them, and where one is missing
 * there, those of the names that it may have. Without the targets, which matter only where there are machines.
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
  const tagsOf = makeTags(elbv2, found ? [found.arn] : []);
  const isOurs = async (arn: string) => isOwnedBy(cluster, (await tagsOf([arn])).get(arn) ?? {});
  const groups = await findGroups(elbv2, isOurs, sought, { attached, listeners });
  const tags = await tagsOf(groups.map(({ arn }) => arn));
  const targetGroups = await Promise.all(
    groups.map(async (group) => ({
      ...group,
      tags: tags.get(group.arn) ?? {},
      attributes: await elbv2.describeTargetGroupAttributes(group.arn),
    })),
  );
  const loadBalancer = found && { ...found, tags: tags.get(found.arn) ?? {}, attributes };
  return { ...(loadBalancer ? { loadBalancer } : {}), targetGroups, listeners };
};

/** What was observed, with the targets of the groups that serve. */
export const withTargets = async (
  elbv2: Pick<Elbv2Reads, 'describeTargets'>,
  observed: ObservedLoadBalancing,
): Promise<ObservedLoadBalancing> => {
  const serving = new Set(servingGroups(observed).map(({ arn }) => arn));
  const targetGroups = observed.targetGroups.map(async (group) =>
    serving.has(group.arn) ? { ...group, targets: await elbv2.describeTargets(group.arn) } : group,
  );
  return { ...observed, targetGroups: await Promise.all(targetGroups) };
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
    const observed = await elb.observe(sought.loadBalancer);
    return { elb, observed, withTargets: async () => observed };
  }
  const elb = deps.elbv2(aws);
  const observed = await observeLoadBalancing(elb, name, sought);
  return { elb, observed, withTargets: () => withTargets(elb, observed) };
};
