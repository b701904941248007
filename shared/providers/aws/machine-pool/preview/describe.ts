import { isDeepStrictEqual } from 'node:util';
import { DRAIN_HOOK } from '../../../../kinds/aws-machine-pool/hook-names.ts';
import type { AWSMachinePool, MachinePool } from '../../../../kinds/index.ts';
import { areReplicasManaged } from '../../../../plan/pools/digest.ts';
import { count, some } from '../../../../plan/words.ts';
import { instanceTypesOf } from '../../plan/launch/pool-machine.ts';
import type { DesiredGroup, ObservedGroup, PoolAction, RefreshPreferences, WarmPool } from '../model.ts';
import type { PoolWishes } from './wishes.ts';

/** The facts for the sentences about a pool. */
export interface PoolStory {
  pool: MachinePool;
  awsPool: AWSMachinePool;
  /** Absent for a group that does not exist yet. */
  before: { wishes: PoolWishes; group: ObservedGroup } | undefined;
  wishes: PoolWishes;
  /** The state after the actions. */
  group: ObservedGroup | undefined;
  /** The number of the launch template's latest version, if known. */
  version: number | undefined;
}

const groupText = ({ name }: { name: string }): string => `Auto Scaling group ${name}`;

/** A number of whole minutes in minutes, and otherwise seconds. */
const duration = (seconds: number): string =>
  seconds % 60 === 0 ? count(seconds / 60, 'minute') : count(seconds, 'second');

/** The id of a subnet that a filter selects is unknown. */
const knownSubnets = ({ subnetIds }: DesiredGroup): string[] => subnetIds.filter((id) => id.startsWith('subnet-'));

const creation = ({ awsPool }: PoolStory, group: DesiredGroup): string => {
  const { minSize, maxSize, initial = minSize, desired = initial } = group;
  const subnets = knownSubnets(group);
  const place = subnets.length > 0 ? `, in ${some(subnets)}` : '';
  const types = instanceTypesOf(awsPool).join(' or ');
  return `creates ${groupText(group)}: ${count(desired, 'instance')} of ${types}, at least ${minSize} and at most ${maxSize}${place}`;
};

/** The parts of the template that have changed. */
const changedParts = ({ before, wishes }: PoolStory): string[] =>
  Object.keys(wishes.parts).filter((part) => !isDeepStrictEqual(before?.wishes.parts[part], wishes.parts[part]));

const versionLines = (story: PoolStory): string[] => {
  const { before, wishes, awsPool, version } = story;
  const { name, shape } = wishes.template;
  const what = version === undefined ? 'a version' : `version ${version + 1}`;
  const said = `creates ${what} of launch template ${name}: ${changedParts(story).join(', ')}`;
  const running = before?.group.instances.length ?? 0;
  if (running === 0) return [said];
  const stay = `${count(running, 'running instance')} ${running === 1 ? 'stays' : 'stay'} as ${running === 1 ? 'it is' : 'they are'}`;
  if (before?.wishes.template.shape === shape)
    return [said, `starts no instance refresh, because only the bootstrap data changes: ${stay}`];
  return awsPool.spec?.refreshPreferences?.disable
    ? [said, `starts no instance refresh, because spec.refreshPreferences.disable is set: ${stay}`]
    : [said];
};

const preferenceText = ({
  MinHealthyPercentage: least,
  MaxHealthyPercentage: most,
  InstanceWarmup: warmup,
}: RefreshPreferences): string =>
  [
    ...(least === undefined ? [] : [`at least ${least}% healthy`]),
    ...(most === undefined ? [] : [`at most ${most}% of the capacity`]),
    ...(warmup === undefined ? [] : [`warm-up ${duration(warmup)}`]),
  ].join(', ') || 'with the defaults of Auto Scaling';

const isSuspended = ({ wishes }: PoolStory, process: string): boolean => wishes.group.suspended.includes(process);

const refresh = (story: PoolStory, strategy: string, preferences: RefreshPreferences): string => {
  const ids = story.before?.group.instances.map(({ id }) => id) ?? [];
  const stands = isSuspended(story, 'InstanceRefresh')
    ? '; it does not continue while the process InstanceRefresh is suspended'
    : '';
  return `starts an instance refresh, which replaces ${count(ids.length, 'instance')} after draining each: ${some(ids)} (${strategy}, ${preferenceText(preferences)})${stands}`;
};

/** The effects of a changed capacity on a group's instances. */
const capacityLines = (story: PoolStory, wanted: DesiredGroup): string[] => {
  const { before, group } = story;
  const was = before?.group.desired ?? 0;
  const is = group?.desired ?? was;
  if (was === is) return [];
  const said = `desired capacity of ${groupText(wanted)} from ${was} to ${is}`;
  if (is > was) {
    const held = isSuspended(story, 'Launch') ? ', once the process Launch is no longer suspended' : '';
    return [`${said}: launches ${count(is - was, 'instance')}${held}; no running instance is replaced`];
  }
  const ids = before?.group.instances.map(({ id }) => id) ?? [];
  const held = isSuspended(story, 'Terminate') ? ', once the process Terminate is no longer suspended' : '';
  const drain = wanted.hooks.find(({ LifecycleHookName }) => LifecycleHookName === DRAIN_HOOK)?.HeartbeatTimeout ?? 0;
  const gone = was - is;
  const from = ids.length > gone ? ` of ${some(ids)}` : ids.length > 0 ? `: ${some(ids)}` : '';
  return [
    `${said}: terminates ${count(gone, 'instance')}${from}${held}, after draining each for at most ${duration(drain)}`,
    ...(ids.length > gone
      ? ['leaves the choice of instances to Auto Scaling, which spares those that are protected from scale-in']
      : []),
  ];
};

/** Values of a group by the names of groupDifferences, if they are short enough for a sentence. */
const VALUES: Readonly<Record<string, (group: ObservedGroup) => string | number | undefined>> = {
  'minimum size': ({ minSize }) => minSize,
  'maximum size': ({ maxSize }) => maxSize,
  'default cooldown': ({ cooldown }) => cooldown && duration(cooldown),
  'default instance warmup': ({ warmup }) => warmup && duration(warmup),
  'protection from scale-in': ({ protectsNew }) => (protectsNew ? 'on' : 'off'),
  'capacity rebalancing': ({ capacityRebalance }) => (capacityRebalance ? 'on' : 'off'),
};

const updateLines = (story: PoolStory, wanted: DesiredGroup, because: readonly string[]): string[] => {
  const { before, group } = story;
  const others = because
    .filter((field) => field !== 'desired capacity')
    .map((field) => {
      const value = VALUES[field];
      return before && group && value ? `${field} from ${value(before.group)} to ${value(group)}` : field;
    });
  const line = `changes ${groupText(wanted)}: ${others.join(', ')}`;
  return [...(others.length > 0 ? [line] : []), ...capacityLines(story, wanted)];
};

/** How many instances are kept outside the group. They are billed for their volumes, or as running instances. */
const warmPoolLine = ({ group }: PoolStory, name: string, { state, minSize, maxPrepared }: WarmPool): string => {
  const most = maxPrepared ?? group?.maxSize ?? 0;
  const size = Math.max(most - (group?.desired ?? 0), minSize, 0);
  const kept = state === 'Stopped' ? 'stopped' : 'running';
  return `keeps a warm pool of ${count(size, 'instance')} beside ${groupText({ name })}, ${kept} once prepared`;
};

/** Sentences about one action, which the name of the MachinePool completes. */
export const actionLines = (story: PoolStory, action: PoolAction): string[] => {
  switch (action.do) {
    case 'create-template':
      return [`creates launch template ${action.template.name}`];
    case 'create-version':
      return versionLines(story);
    case 'delete-versions':
    case 'record-refresh':
      return [];
    case 'create-group':
      return [creation(story, action.group)];
    case 'update-group':
      return updateLines(story, action.group, action.because);
    case 'tag-group':
      return [`sets tags ${Object.keys(action.tags).join(', ')} of ${groupText(action)}`];
    case 'untag-group':
      return [`removes tags ${action.keys.join(', ')} from ${groupText(action)}`];
    case 'suspend':
      return [`suspends ${action.processes.join(', ')} of ${groupText(action)}`];
    case 'resume':
      return [`resumes ${action.processes.join(', ')} of ${groupText(action)}`];
    case 'put-hook':
      return [`sets lifecycle hook ${action.hook.LifecycleHookName} of ${groupText(action)}`];
    case 'delete-hook':
      return [`deletes lifecycle hook ${action.hook} of ${groupText(action)}`];
    case 'put-warm-pool':
      return [warmPoolLine(story, action.name, action.warm)];
    case 'delete-warm-pool':
      return [`deletes the warm pool of ${groupText(action)} with its instances`];
    case 'end-waits':
      return [];
    case 'cancel-refresh':
      return ['cancels the instance refresh that is under way'];
    case 'start-refresh':
      return [refresh(story, action.strategy, action.preferences)];
  }
};

/** What determines the number of instances, if that changes, or if a change of replicas has no effect. */
export const replicasLines = (after: MachinePool, before: MachinePool | undefined): string[] => {
  const [is, was] = [areReplicasManaged(after), before !== undefined && areReplicasManaged(before)];
  const annotation = 'cluster.x-k8s.io/replicas-managed-by';
  if (is && !was) {
    return [
      `leaves the number of instances to an external autoscaler (annotation ${annotation}); spec.replicas follows`,
    ];
  }
  if (was && !is) return [`decides on the number of instances again: spec.replicas is ${after.spec.replicas ?? 1}`];
  if (is && before && before.spec.replicas !== after.spec.replicas) {
    return [`ignores the change of spec.replicas: an external autoscaler decides (annotation ${annotation})`];
  }
  return [];
};
