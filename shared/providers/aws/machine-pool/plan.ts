import type { RequestLaunchTemplateData, ResponseLaunchTemplateData } from '@aws-sdk/client-ec2';
import type { AWSMachinePool } from '../../../kinds/index.ts';
import { furtherRefreshPreferences, scaleInProtection } from '../../../kinds/rules/pool-wishes.ts';
import { type ClusterName, isOwnedBy, missingTags, POOL_TAG, type Tags } from '../tags.ts';
import { groupDifferences, hookDifferences } from './differences.ts';
import type {
  DesiredGroup,
  DesiredTemplate,
  GroupHook,
  GroupInstance,
  ObservedGroup,
  ObservedTemplate,
  PoolAction,
  Refresh,
  RefreshPreferences,
} from './model.ts';
import { poolTagOf } from './name.ts';
import { isRefreshFor, type RecordedRefresh, type RecordedTemplate } from './record.ts';
import { endedWaits, warmPoolActions } from './warm-pool.ts';

/** The observed and the recorded state of a pool in AWS. Undefined members do not exist or were not requested. */
export interface ObservedPool {
  /** The name of the template and the group. */
  name: string;
  template: ObservedTemplate | undefined;
  /** The latest version, according to the record or its description; undefined if Windlass has not created it. */
  latest: RecordedTemplate | undefined;
  /** The latest version, if Cluster API's AWS provider has created it. */
  theirs: ResponseLaunchTemplateData | undefined;
  /** Keys of the group's tags that users have set. */
  tagKeys: readonly string[];
  group: ObservedGroup | undefined;
  hooks: readonly GroupHook[];
  /** The instances of the group's warm pool. */
  warm: readonly GroupInstance[];
  /** The latest replacement of instances. */
  refresh: Refresh | undefined;
  recordedRefresh: RecordedRefresh | undefined;
}

export interface PoolPlanFacts {
  pool: AWSMachinePool;
  template: DesiredTemplate;
  group: DesiredGroup;
  observed: ObservedPool;
}

/**
 * Whether a group or a template belongs to this pool. If Cluster API's AWS provider has created it, it only has the
 * cluster's tag.
 */
export const isPools = (cluster: ClusterName, pool: AWSMachinePool, tags: Tags): boolean =>
  isOwnedBy(cluster, tags) && (tags[POOL_TAG] ?? poolTagOf(pool)) === poolTagOf(pool);

const ACTIVE: readonly string[] = ['Pending', 'InProgress', 'Cancelling', 'Baking', 'RollbackInProgress'];

/** Whether instances are being replaced. */
export const isActive = (refresh: Refresh | undefined): boolean =>
  refresh !== undefined && ACTIVE.includes(refresh.status);

/** One old version is deleted for each new one; EC2 keeps 5,000. */
const KEPT_VERSIONS = 5;

const versionActions = (facts: PoolPlanFacts): PoolAction[] => {
  const { template, observed } = facts;
  if (!observed.template) return [{ do: 'create-template', template }];
  const { id: templateId, latestVersion } = observed.template;
  if (observed.latest?.digest === template.digest) return [];
  const used = new Set(observed.group?.instances.map(({ version }) => version));
  const old = latestVersion + 1 - KEPT_VERSIONS;
  const versions = old > 1 && !used.has(old) ? [old] : [];
  return [
    { do: 'create-version', templateId, template },
    ...(versions.length > 0 ? [{ do: 'delete-versions', templateId, versions } as const] : []),
  ];
};

const profileName = ({ IamInstanceProfile: profile }: ResponseLaunchTemplateData): string =>
  profile?.Name ?? profile?.Arn?.split('instance-profile/')[1] ?? '';

const inOrder = (ids: readonly string[] = []): string => [...ids].sort().join();

/**
 * Whether instances of a version that Cluster API's AWS provider has created must be replaced, by the comparison of
 * that provider (LaunchTemplateNeedsUpdate, and the image).
 */
export const differsFromTheirs = (
  wanted: Omit<RequestLaunchTemplateData, 'UserData'>,
  theirs: ResponseLaunchTemplateData,
): boolean =>
  wanted.ImageId !== theirs.ImageId ||
  (wanted.InstanceType ?? '') !== (theirs.InstanceType ?? '') ||
  (wanted.KeyName ?? '') !== (theirs.KeyName ?? '') ||
  (wanted.IamInstanceProfile?.Name ?? '') !== profileName(theirs) ||
  wanted.InstanceMarketOptions?.MarketType !== theirs.InstanceMarketOptions?.MarketType ||
  inOrder(wanted.SecurityGroupIds) !== inOrder(theirs.SecurityGroupIds);

const processActions = (wanted: DesiredGroup, { name, suspended }: ObservedGroup): PoolAction[] => {
  const missing = wanted.suspended.filter((process) => !suspended.includes(process));
  const over = suspended.filter((process) => !wanted.suspended.includes(process));
  return [
    ...(missing.length > 0 ? [{ do: 'suspend', name, processes: missing } as const] : []),
    ...(over.length > 0 ? [{ do: 'resume', name, processes: over } as const] : []),
  ];
};

const hookActions = ({ name, hooks: wanted }: DesiredGroup, hooks: readonly GroupHook[]): PoolAction[] => {
  const { put, remove } = hookDifferences(wanted, hooks);
  return [
    ...remove.map((hook): PoolAction => ({ do: 'delete-hook', name, hook })),
    ...put.map((hook): PoolAction => ({ do: 'put-hook', name, hook })),
  ];
};

/** Whether an instance that stays started from a template of another shape. */
export const isOutdated = ({ version, state }: GroupInstance, { since }: Pick<RecordedTemplate, 'since'>): boolean =>
  (version ?? 0) < since && !state.startsWith('Terminating');

const hasOutdated = ({ observed, template }: PoolPlanFacts): boolean => {
  const { latest, group } = observed;
  return latest?.shape === template.shape && group?.instances.some((one) => isOutdated(one, latest)) === true;
};

const isRefreshRecorded = ({ latest, recordedRefresh }: ObservedPool): boolean =>
  latest !== undefined && isRefreshFor(recordedRefresh, latest);

/**
 * Whether instances must be replaced. A failed replacement is not started again for the same template, but one that
 * Windlass has cancelled is.
 */
const wantsRefresh = (facts: PoolPlanFacts): boolean => {
  const { pool, observed } = facts;
  return !pool.spec?.refreshPreferences?.disable && !isRefreshRecorded(observed) && hasOutdated(facts);
};

/**
 * Records a replacement that an execution has started but could not record. A replacement in progress is for this
 * template, because any other is cancelled before the template changes. A finished one was for this template if no
 * instance is outdated.
 */
const unrecordedRefresh = (facts: PoolPlanFacts): PoolAction[] => {
  const { pool, observed, template } = facts;
  const { refresh, recordedRefresh, latest } = observed;
  if (!refresh || refresh.id === recordedRefresh?.id || isRefreshRecorded(observed)) return [];
  if (pool.spec?.refreshPreferences?.disable || latest?.shape !== template.shape) return [];
  const isDone = refresh.status === 'Successful' && !hasOutdated(facts);
  return isDone || isActive(refresh) ? [{ do: 'record-refresh', id: refresh.id }] : [];
};

/**
 * A refresh would wait for protected instances until it fails. If a pool itself protects its instances, they are
 * replaced anyway.
 */
const furtherPreferences = (pool: AWSMachinePool): RefreshPreferences => {
  const { skipMatching, checkpointPercentages, checkpointDelay, standbyInstances, ...given } =
    furtherRefreshPreferences(pool);
  const protectedOnes = given.scaleInProtectedInstances ?? (scaleInProtection(pool) ? 'Refresh' : undefined);
  return {
    ...(skipMatching === undefined ? {} : { SkipMatching: skipMatching }),
    ...(checkpointPercentages ? { CheckpointPercentages: checkpointPercentages } : {}),
    ...(checkpointDelay === undefined ? {} : { CheckpointDelay: checkpointDelay }),
    ...(protectedOnes ? { ScaleInProtectedInstances: protectedOnes } : {}),
    ...(standbyInstances ? { StandbyInstances: standbyInstances } : {}),
  };
};

const refreshActions = (facts: PoolPlanFacts): PoolAction[] => {
  const unrecorded = unrecordedRefresh(facts);
  if (unrecorded.length > 0) return unrecorded;
  if (!wantsRefresh(facts) || isActive(facts.observed.refresh)) return [];
  const {
    strategy = 'Rolling',
    instanceWarmup,
    minHealthyPercentage,
    maxHealthyPercentage,
  } = facts.pool.spec?.refreshPreferences ?? {};
  const preferences = {
    ...(instanceWarmup === undefined ? {} : { InstanceWarmup: instanceWarmup }),
    ...(minHealthyPercentage === undefined ? {} : { MinHealthyPercentage: minHealthyPercentage }),
    ...(maxHealthyPercentage === undefined ? {} : { MaxHealthyPercentage: maxHealthyPercentage }),
    ...furtherPreferences(facts.pool),
  };
  return [{ do: 'start-refresh', name: facts.group.name, strategy, preferences }];
};

/**
 * A replacement in progress for another template is cancelled before the template changes, so that it replaces no
 * instance twice.
 */
const isSuperseded = ({ observed, template }: PoolPlanFacts): boolean =>
  isActive(observed.refresh) &&
  observed.latest !== undefined &&
  (observed.latest.shape !== template.shape ||
    (observed.recordedRefresh?.id === observed.refresh?.id && observed.recordedRefresh?.shape !== template.shape));

/** Changes of the parts of a group for which AWS does not check the launch template. */
const belongings = ({ observed, group: wanted }: PoolPlanFacts, group: ObservedGroup): PoolAction[] => {
  const tags = missingTags(wanted.tags, group.tags);
  const left = observed.tagKeys.filter((key) => !(key in wanted.tags) && key in group.tags);
  return [
    ...(Object.keys(tags).length > 0 ? [{ do: 'tag-group', name: wanted.name, tags } as const] : []),
    ...(left.length > 0 ? [{ do: 'untag-group', name: wanted.name, keys: left } as const] : []),
    ...processActions(wanted, group),
    ...hookActions(wanted, observed.hooks),
  ];
};

/**
 * A cancellation takes as long as the drain of an instance that is about to leave, and suspended processes prolong it.
 * The group itself is not updated in the meantime: AWS would check its template, which may be what the user has
 * corrected.
 */
const supersededActions = (facts: PoolPlanFacts): PoolAction[] => {
  const { observed, group: wanted } = facts;
  const { group, refresh } = observed;
  return [
    ...(refresh?.status === 'Cancelling' ? [] : [{ do: 'cancel-refresh', name: wanted.name } as const]),
    ...(group && !group.status ? belongings(facts, group) : []),
  ];
};

/**
 * The next actions. Others follow in later checks: a group is created once its template exists, and instances are
 * replaced once the template has the right shape.
 */
export const planPool = (facts: PoolPlanFacts): PoolAction[] => {
  const { observed, group: wanted } = facts;
  const { group, template } = observed;
  if (isSuperseded(facts)) return supersededActions(facts);
  const versions = versionActions(facts);
  if (versions.length > 0 || !template) return versions;
  if (!group) return [{ do: 'create-group', group: wanted }];
  if (group.status) return [];
  const warmFacts = { wanted, group, instances: observed.warm, version: observed.latest?.version };
  const warm = warmPoolActions(warmFacts);
  const because = groupDifferences(wanted, group, template.id);
  return [
    ...(because.length > 0 ? [{ do: 'update-group', group: wanted, because } as const] : []),
    ...belongings(facts, group),
    ...warm,
    ...endedWaits(warmFacts),
    // Instances are replaced once all instances of the warm pool have the latest version.
    ...(warm.length > 0 || group.warm?.status ? [] : refreshActions(facts)),
  ];
};
