import type { ResourceQuota } from '../../../kinds/index.ts';
import type { ResourceId } from '../../../kube-api/object.ts';
import { quotaNamesOf, readQuotaCount } from '../../../kube-api/quota/names.ts';
import type { DesiredGroup, ObservedGroup } from './model.ts';

/** How many more Machines a namespace may have, according to the quota that allows the fewest. */
export interface FreePlaces {
  free: number;
  /** `small, limited: count/machines.cluster.x-k8s.io=10, used: …`, for messages. */
  quota: string;
}

/** Undefined if no quota limits Machines. */
export const freePlaces = (quotas: readonly ResourceQuota[], machines: ResourceId): FreePlaces | undefined => {
  const places = quotas.flatMap(({ metadata, status }) =>
    quotaNamesOf(machines).flatMap((name): FreePlaces[] => {
      const [hard, used = 0] = [readQuotaCount(status?.hard?.[name]), readQuotaCount(status?.used?.[name])];
      if (hard === undefined) return [];
      const quota = `${metadata.name}, used: ${name}=${used}, limited: ${name}=${hard}`;
      return [{ free: Math.max(0, hard - used), quota }];
    }),
  );
  return places.sort((a, b) => a.free - b.free)[0];
};

/** The size that a group is given, or with which it begins. */
const sizeOf = ({ desired, initial, minSize }: DesiredGroup): number => Math.max(desired ?? initial ?? 0, minSize);

/** AWS prepares as many instances as the group's maximum size, unless the warm pool sets a limit. */
const preparedOf = ({ warm, maxSize }: DesiredGroup): number => (warm ? (warm.maxPrepared ?? maxSize) : 0);

/** The maximum number of instances that a group may reach, including those of its warm pool. */
const reachOf = (group: DesiredGroup): number =>
  Math.max(
    sizeOf(group) + (group.warm?.minSize ?? 0),
    preparedOf(group),
    group.desired === undefined ? group.maxSize : 0,
  );

/** Whether a group may get more instances than it was given before, so that quotas matter. */
export const mayGrow = (group: DesiredGroup, current: ObservedGroup | undefined): boolean =>
  reachOf(group) > (current?.desired ?? 0);

/**
 * The group with at most this many instances, but never fewer than it was given before: a quota removes nothing. The
 * maximum size is only lowered if another program determines the size.
 */
export const withAtMost = (group: DesiredGroup, current: ObservedGroup | undefined, places: number): DesiredGroup => {
  const most = Math.max(places, current?.desired ?? 0);
  const { desired, initial, warm } = group;
  const size = Math.min(sizeOf(group), most);
  return {
    ...group,
    minSize: Math.min(group.minSize, most),
    ...(desired === undefined ? { maxSize: Math.min(group.maxSize, most) } : { desired: Math.min(desired, most) }),
    ...(initial === undefined ? {} : { initial: Math.min(initial, most) }),
    ...(warm && preparedOf(group) > most ? { warm: { ...warm, maxPrepared: most } } : {}),
    ...(warm && warm.minSize + size > most
      ? { warm: { ...warm, minSize: most - size, maxPrepared: Math.min(preparedOf(group), most) } }
      : {}),
  };
};

/** The number of instances that are missing because of a quota. */
export const lackOf = (wanted: DesiredGroup, allowed: DesiredGroup): number => sizeOf(wanted) - sizeOf(allowed);
