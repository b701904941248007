import type { View } from './driver.ts';
import { type Filter, inVpcs } from './filters.ts';
import type { ObservedNetwork } from './model.ts';

/** Reads that several drivers share. */

export const unique = <T extends { id: string }>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [thing.id, thing])).values(),
];

type Read<T> = (filters: readonly Filter[]) => Promise<T[]>;

/** The resources in the relevant VPCs. */
export const inside = <T>({ vpcIds }: Pick<View, 'vpcIds'>, read: Read<T>): Promise<T[]> =>
  vpcIds.length > 0 ? read(inVpcs(vpcIds)) : Promise.resolve([]);

/** `found`, plus the named resources that are missing in it: they are only requested if something is wrong. */
export const withNamed = async <T extends { id: string }>(
  found: T[],
  ids: readonly string[],
  read: Read<T>,
  filter: string,
): Promise<T[]> => {
  const others = [...new Set(ids)].filter((id) => !found.some((one) => one.id === id));
  return others.length > 0 ? [...found, ...(await read([{ name: filter, values: others }]))] : found;
};

/**
 * Whether to read resources that only some clusters have. Other clusters do not pay for these calls. A deletion reads
 * everything once no subnet is left, because the spec may have contained more before.
 */
export const isSought = (
  { purpose, ownVpcIds }: View,
  isAskedFor: boolean,
  { subnets }: Pick<ObservedNetwork, 'subnets'>,
): boolean => {
  if (ownVpcIds.length === 0) return false;
  return isAskedFor || (purpose === 'deletion' && !subnets.some(({ vpcId }) => ownVpcIds.includes(vpcId)));
};
