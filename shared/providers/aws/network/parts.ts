import { buildTags, type ClusterName, INTENT_TAG, isOwnedBy, missingTags, OWNER_TAG, type Tags } from '../tags.ts';
import type { DesiredInput } from './desired-input.ts';
import type { TakeDownPlan } from './driver.ts';
import type { NetworkAction, NetworkPlan } from './model.ts';
import type { Situation } from './situation.ts';
import type { ResourceKind } from './tags/model.ts';
import { byAge } from './vpc/choose.ts';

/** Code that the planners of several resources share. */

export const NOTHING: NetworkPlan = { actions: [], waiting: [] };

/** Sets the missing tags of a resource. */
export const planTags = (
  kind: ResourceKind,
  { id, tags }: { id: string; tags: Tags },
  wanted: Tags,
): NetworkAction[] => {
  const missing = missingTags(wanted, tags);
  return Object.keys(missing).length > 0 ? [{ type: 'CreateTags', kind, resourceId: id, tags: missing }] : [];
};

/**
 * The same for a gateway that may be a user's, which is not tagged, or may have been created by upstream. The latter
 * has no OWNER_TAG and needs none, so that a cluster that was moved here has not drifted.
 */
export const planGatewayTags = (
  kind: ResourceKind,
  cluster: ClusterName,
  gateway: { id: string; tags: Tags },
  { [OWNER_TAG]: _owner, ...wanted }: Tags,
): NetworkAction[] => (isOwnedBy(cluster, gateway.tags) ? planTags(kind, gateway, wanted) : []);

/**
 * Whether it was created by a run that did not know that another one had created the same. A resource without an intent
 * was created by upstream.
 */
export const isDuplicate = ({ tags }: { tags: Tags }): boolean => tags[INTENT_TAG] !== undefined;

/** Our resources in the VPC, oldest first. */
export const ownIn = <T extends { id: string; vpcId: string; tags: Tags }>(
  { desired }: Pick<Situation, 'desired'>,
  things: readonly T[] | undefined,
  vpcId: string,
): T[] => (things ?? []).filter((one) => one.vpcId === vpcId && isOwnedBy(desired.cluster, one.tags)).sort(byAge);

/** Deletes resources that need no earlier deletion. */
export const takeDownOwned = (
  cluster: ClusterName,
  things: readonly { id: string; tags: Tags }[] = [],
  noun: string,
  remove: (id: string) => NetworkAction,
): TakeDownPlan => ({
  actions: things.filter(({ tags }) => isOwnedBy(cluster, tags)).map(({ id }) => remove(id)),
  blockers: things
    .filter(({ tags }) => !isOwnedBy(cluster, tags))
    .map(({ id }) => `${noun} ${id}, which does not belong to the cluster`),
});

/** Tags of resources that belong to the cluster as a whole. */
export const sharedTags = ({ cluster, spec }: Pick<DesiredInput, 'cluster' | 'spec'>, suffix: string): Tags =>
  buildTags({ cluster, name: `${cluster.name}-${suffix}`, role: 'common', additional: spec.additionalTags });

/** The VPCs that contain the resources. */
export const vpcsOf = (things: readonly { vpcId?: string }[] = []): string[] =>
  things.flatMap(({ vpcId }) => vpcId ?? []);

/** Combines the parts of a deletion. */
export const join = (parts: readonly TakeDownPlan[]): TakeDownPlan => ({
  actions: parts.flatMap(({ actions }) => actions),
  blockers: parts.flatMap(({ blockers }) => blockers),
});
