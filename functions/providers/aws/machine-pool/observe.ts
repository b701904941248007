import { RefusedError } from '../../../../shared/errors.ts';
import type { AWSMachinePool } from '../../../../shared/kinds/index.ts';
import { readDescription } from '../../../../shared/providers/aws/machine-pool/desired-template.ts';
import { readGroupMemory } from '../../../../shared/providers/aws/machine-pool/memory.ts';
import type { ObservedGroup, ObservedTemplate } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf, upstreamName } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { isPools, type ObservedPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import {
  type RecordedTemplate,
  recordedRefresh,
  recordedTemplate,
} from '../../../../shared/providers/aws/machine-pool/record.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { PoolDependencies } from './dependencies.ts';

/**
 * The first version of the launch template with this shape. If there is no record of the template, as after a move from
 * another installation, its instances are assumed to be up to date, and none is replaced for that reason.
 */
const sinceOf = (
  recorded: RecordedTemplate | undefined,
  id: string,
  { shape, version }: { shape: string; version: number },
): number => {
  if (recorded?.id !== id) return 1;
  return recorded.shape === shape ? recorded.since : version;
};

/** EC2's answer about the latest version, if the recorded one differs or is missing. */
const latestOf = async (
  { templates }: PoolDependencies,
  pool: AWSMachinePool,
  { id, latestVersion }: ObservedTemplate,
): Promise<Pick<ObservedPool, 'latest' | 'theirs'>> => {
  const recorded = recordedTemplate(pool);
  if (recorded?.id === id && recorded.version === latestVersion) return { latest: recorded, theirs: undefined };
  const found = await templates.latestVersion(id);
  const digests = readDescription(found?.description);
  // If another program has created a version since, the instances have that version.
  if (!found || !digests) return { latest: undefined, theirs: recorded ? undefined : found?.data };
  const since = sinceOf(recorded, id, { ...digests, version: found.version });
  return { latest: { id, version: found.version, ...digests, since }, theirs: undefined };
};

/**
 * A resource with the name of a pool's group belongs to something else. It is left alone, and its owner is not
 * revealed.
 */
const refuseForeign = (what: string, name: string): RefusedError =>
  new RefusedError(
    `${what} ${name} exists and is left alone, because its tags do not show that it belongs to this AWSMachinePool`,
  );

/** A pool's resources in AWS, with the name that they have there. */
export interface FoundPool {
  name: string;
  template: ObservedTemplate | undefined;
  group: ObservedGroup | undefined;
}

/**
 * Finds a pool's template and group, with two calls. A pool without a record may come from Cluster API's AWS provider,
 * which uses other names: resources that it created for this cluster also belong to the pool. A template that was taken
 * over has only that provider's tags, which name no namespace, so the tags of its group also count.
 */
export const findPool = async (
  { groups, templates }: Pick<PoolDependencies, 'groups' | 'templates'>,
  cluster: ClusterName,
  pool: AWSMachinePool,
): Promise<FoundPool> => {
  const own = groupNameOf(pool);
  const names = recordedTemplate(pool) ? [own] : [...new Set([own, upstreamName(pool)])];
  const [allTemplates, allGroups] = await Promise.all([templates.describe(names), groups.describe(names)]);
  const at = (name: string): FoundPool => ({
    name,
    template: allTemplates.find((one) => one.name === name),
    group: allGroups.find((one) => one.name === name),
  });
  const [first = at(own), theirs] = names.map(at);
  if (first.template || first.group || !theirs) return first;
  const existing = [theirs.template, theirs.group].filter((one) => one !== undefined);
  const isOwn = existing.length > 0 && existing.every(({ tags }) => isPools(cluster, pool, tags));
  return isOwn ? theirs : first;
};

/**
 * Reads a pool's template and group: with three calls if nothing has to be done, and more for versions or replacements.
 * Throws Refused if one of them does not belong to the pool.
 */
export const observePool = async (
  deps: PoolDependencies,
  cluster: ClusterName,
  pool: AWSMachinePool,
): Promise<ObservedPool> => {
  const { groups } = deps;
  const { name, template, group } = await findPool(deps, cluster, pool);
  if (template && !isPools(cluster, pool, template.tags)) throw refuseForeign('launch template', name);
  if (group && !isPools(cluster, pool, group.tags)) throw refuseForeign('Auto Scaling group', name);
  const { latest, theirs } = template ? await latestOf(deps, pool, template) : NO_VERSION;
  const recorded = recordedRefresh(pool);
  const [hooks, warm, refresh] = await Promise.all([
    group ? groups.hooks(name) : [],
    group?.warm ? groups.warmInstances(name) : [],
    group && (recorded || mayBeOutdated(group.instances, latest)) ? groups.latestRefresh(name) : undefined,
  ]);
  const { tagKeys = [] } = readGroupMemory(pool);
  return { name, template, latest, theirs, group, hooks, warm, refresh, recordedRefresh: recorded, tagKeys };
};

const NO_VERSION = { latest: undefined, theirs: undefined };

const mayBeOutdated = (
  instances: readonly { version: number | undefined }[],
  latest: RecordedTemplate | undefined,
): boolean => instances.some(({ version }) => latest === undefined || (version ?? 0) < latest.since);
