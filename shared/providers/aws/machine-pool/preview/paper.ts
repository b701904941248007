import type { AWSMachinePool } from '../../../../kinds/index.ts';
import type { DesiredGroup, DesiredTemplate, ObservedGroup, PoolAction } from '../model.ts';
import { type ObservedPool, planPool } from '../plan.ts';
import { isRefreshing } from '../status.ts';
import type { PoolWishes } from './wishes.ts';

/** The version of running instances: they have started with the previous desired state. */
const FIRST = 1;
const PAPER_ID = 'planned';

/** The id of an instance in a list of provider ids, `aws:///us-east-1a/i-1`. */
export const instancesOf = ({ spec }: AWSMachinePool): string[] =>
  (spec?.providerIDList ?? []).flatMap((id) => id.split('/').at(-1) ?? []);

/** The name in the ARN of a group. The names of groups that were taken over cannot be derived. */
export const groupNameIn = ({ spec }: AWSMachinePool): string | undefined =>
  /autoScalingGroupName\/(.+)$/.exec(spec?.providerID ?? '')?.[1];

const mixedOf = ({ mixed }: DesiredGroup): ObservedGroup['mixed'] => {
  if (!mixed) return undefined;
  const { overrides, ...policy } = mixed;
  return { ...policy, LaunchTemplate: { Overrides: overrides.map((InstanceType) => ({ InstanceType })) } };
};

/** AWS keeps an unset capacity between the minimum and the maximum size. */
const capacityOf = ({ desired, minSize, maxSize }: DesiredGroup, before: number): number =>
  desired ?? Math.min(Math.max(before, minSize), maxSize);

/** A group in its desired state. */
const groupAs = (wanted: DesiredGroup, templateId: string, was: Pick<ObservedGroup, 'desired' | 'instances'>) => ({
  name: wanted.name,
  arn: '',
  status: undefined,
  minSize: wanted.minSize,
  maxSize: wanted.maxSize,
  desired: capacityOf(wanted, was.desired),
  subnetIds: wanted.subnetIds,
  cooldown: wanted.cooldown,
  warmup: wanted.warmup,
  capacityRebalance: wanted.capacityRebalance,
  protectsNew: wanted.protectsNew ?? false,
  templateId,
  mixed: mixedOf(wanted),
  suspended: wanted.suspended,
  tags: wanted.tags,
  instances: was.instances,
  warm: undefined,
});

const asPut = (warm: DesiredGroup['warm']): ObservedGroup['warm'] =>
  warm ? { ...warm, status: undefined } : undefined;

/** The state before anything of the pool exists. */
export const nothing = ({ name }: DesiredGroup): ObservedPool => ({
  ...{ name, template: undefined, latest: undefined, theirs: undefined, group: undefined },
  ...{ tagKeys: [], hooks: [], warm: [], refresh: undefined, recordedRefresh: undefined },
});

/** The state of AWS after the previous desired state is reached. */
export const asAsked = (awsPool: AWSMachinePool, { template, group }: PoolWishes, replicas: number): ObservedPool => {
  const { digest, shape, tags } = template;
  const ids = instancesOf(awsPool);
  const instances = ids.map((id) => ({ id, zone: '', type: '', state: 'InService', version: FIRST }));
  const refresh = { id: PAPER_ID, status: 'InProgress', reason: undefined, percentage: undefined };
  const replacing = isRefreshing(awsPool);
  return {
    ...nothing(group),
    template: { id: PAPER_ID, name: template.name, latestVersion: FIRST, tags },
    latest: { id: PAPER_ID, version: FIRST, digest, shape, since: FIRST },
    group: { ...groupAs(group, PAPER_ID, { desired: replicas, instances }), warm: asPut(group.warm) },
    hooks: [...group.hooks],
    tagKeys: Object.keys(tags),
    refresh: replacing ? refresh : undefined,
    recordedRefresh: replacing ? { id: PAPER_ID, shape } : undefined,
  };
};

const withVersion = (observed: ObservedPool, { digest, shape }: DesiredTemplate): ObservedPool => {
  const version = (observed.latest?.version ?? 0) + 1;
  const since = observed.latest?.shape === shape ? observed.latest.since : version;
  const template = observed.template && { ...observed.template, latestVersion: version };
  return { ...observed, template, latest: { id: PAPER_ID, version, digest, shape, since } };
};

const withGroup = (observed: ObservedPool, wanted: DesiredGroup): ObservedPool => {
  const was = observed.group ?? { desired: wanted.initial ?? wanted.minSize, instances: [] };
  const { suspended, tags } = observed.group ?? wanted;
  const { warm } = observed.group ?? {};
  return { ...observed, group: { ...groupAs(wanted, PAPER_ID, was), suspended, tags, warm } };
};

type OfGroup = Extract<
  PoolAction,
  { do: 'tag-group' | 'untag-group' | 'suspend' | 'resume' | 'put-warm-pool' | 'delete-warm-pool' }
>;

const changed = (group: ObservedGroup, action: OfGroup): ObservedGroup => {
  switch (action.do) {
    case 'tag-group':
      return { ...group, tags: { ...group.tags, ...action.tags } };
    case 'untag-group':
      return {
        ...group,
        tags: Object.fromEntries(Object.entries(group.tags).filter(([k]) => !action.keys.includes(k))),
      };
    case 'suspend':
      return { ...group, suspended: [...group.suspended, ...action.processes] };
    case 'resume':
      return { ...group, suspended: group.suspended.filter((process) => !action.processes.includes(process)) };
    case 'put-warm-pool':
      return { ...group, warm: asPut(action.warm) };
    case 'delete-warm-pool':
      return { ...group, warm: undefined };
  }
};

/** The state of AWS after an action. */
const after = (observed: ObservedPool, action: PoolAction): ObservedPool => {
  const { group, hooks } = observed;
  switch (action.do) {
    case 'create-template': {
      const { name, tags } = action.template;
      return withVersion({ ...observed, template: { id: PAPER_ID, name, latestVersion: 0, tags } }, action.template);
    }
    case 'create-version':
      return withVersion(observed, action.template);
    case 'delete-versions':
    case 'end-waits':
      return observed;
    case 'create-group':
      return { ...withGroup(observed, action.group), hooks: [...action.group.hooks] };
    case 'update-group':
      return withGroup(observed, action.group);
    case 'put-hook': {
      const others = hooks.filter(({ LifecycleHookName }) => LifecycleHookName !== action.hook.LifecycleHookName);
      return { ...observed, hooks: [...others, action.hook] };
    }
    case 'delete-hook':
      return { ...observed, hooks: hooks.filter(({ LifecycleHookName }) => LifecycleHookName !== action.hook) };
    case 'cancel-refresh':
      return { ...observed, refresh: undefined };
    case 'record-refresh':
      return { ...observed, recordedRefresh: { id: action.id, shape: observed.latest?.shape ?? '' } };
    case 'start-refresh':
      return { ...observed, recordedRefresh: { id: PAPER_ID, shape: observed.latest?.shape ?? '' } };
    default:
      return { ...observed, group: group && changed(group, action) };
  }
};

/** Each plan depends on the result of the previous one. Three plans create a group with its template. */
const MOST_PLANS = 10;

/** All actions that a pool's planner makes until nothing is left to do, and the resulting state. */
export const playPool = (
  awsPool: AWSMachinePool,
  { template, group }: PoolWishes,
  start: ObservedPool,
): { actions: PoolAction[]; end: ObservedPool } => {
  const all: PoolAction[] = [];
  let observed = start;
  for (let plans = 0; plans < MOST_PLANS; plans += 1) {
    const actions = planPool({ pool: awsPool, template, group, observed });
    if (actions.length === 0) break;
    all.push(...actions);
    observed = actions.reduce(after, observed);
  }
  return { actions: all, end: observed };
};
