import { RefusedError } from '../../../../shared/errors.ts';
import type { AWSMachinePool } from '../../../../shared/kinds/index.ts';
import { readDescription } from '../../../../shared/providers/aws/machine-pool/desired-template.ts';
import type { ObservedTemplate } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { groupNameOf } from '../../../../shared/providers/aws/machine-pool/name.ts';
import { isPools, type ObservedPool } from '../../../../shared/providers/aws/machine-pool/plan.ts';
import {
  type RecordedTemplate,
  recordedRefresh,
  recordedTemplate,
} from '../../../../shared/providers/aws/machine-pool/record.ts';
import type { ClusterName } from '../../../../shared/providers/aws/tags.ts';
import type { PoolDependencies } from './dependencies.ts';

/**
 * The first version of the shape. Without a record of the template, as after a move from another installation, its
 * instances are taken to be as they should be: nothing is replaced for that.
 */
const sinceOf = (
  recorded: RecordedTemplate | undefined,
  id: string,
  { shape, version }: { shape: string; version: number },
): number => {
  if (recorded?.id !== id) return 1;
  return recorded.shape === shape ? recorded.since : version;
};

/** What EC2 says of the latest version where the record is of another, or there is none. */
const latestOf = async (
  { templates }: PoolDependencies,
  pool: AWSMachinePool,
  { id, latestVersion }: ObservedTemplate,
): Promise<RecordedTemplate | undefined> => {
  const recorded = recordedTemplate(pool);
  if (recorded?.id === id && recorded.version === latestVersion) return recorded;
  const found = await templates.latestVersion(id);
  const digests = readDescription(found?.description);
  if (!found || !digests) return undefined;
  return {
    id,
    version: found.version,
    ...digests,
    since: sinceOf(recorded, id, { ...digests, version: found.version }),
  };
};

/** Something else has the name of a pool's group. It is not touched, and its owner is not revealed. */
export const refuseForeign = (what: string, name: string): RefusedError =>
  new RefusedError(
    `${what} ${name} exists and is left alone, because its tags do not show that it belongs to this AWSMachinePool`,
  );

/**
 * Looks at a pool's template and group: three calls where nothing is to be done, more where versions or replacements are
 * in question. Throws Refused where one of them is not the pool's.
 */
export const observePool = async (
  deps: PoolDependencies,
  cluster: ClusterName,
  pool: AWSMachinePool,
): Promise<ObservedPool> => {
  const name = groupNameOf(pool);
  const { groups, templates } = deps;
  const [template, [group]] = await Promise.all([templates.describe(name), groups.describe([name])]);
  if (template && !isPools(cluster, pool, template.tags)) throw refuseForeign('launch template', name);
  if (group && !isPools(cluster, pool, group.tags)) throw refuseForeign('Auto Scaling group', name);
  const latest = template && (await latestOf(deps, pool, template));
  const recorded = recordedRefresh(pool);
  const [hooks, refresh] = await Promise.all([
    group ? groups.hooks(name) : [],
    group && (recorded || mayBeOutdated(group.instances, latest)) ? groups.latestRefresh(name) : undefined,
  ]);
  return { template, latest, group, hooks, refresh, recordedRefresh: recorded };
};

const mayBeOutdated = (
  instances: readonly { version: number | undefined }[],
  latest: RecordedTemplate | undefined,
): boolean => instances.some(({ version }) => latest === undefined || (version ?? 0) < latest.since);
