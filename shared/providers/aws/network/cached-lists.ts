import type { CachedAnswers } from '../api/port-cache.ts';
import type { Ec2Network } from './api.ts';
import { type Filter, isShown } from './filters.ts';

/** A created resource need not be read again: EC2 has confirmed it, and no other run changes it. */

export type KnownNetwork = CachedAnswers<Ec2Network>;

/** Reads of resources with an id. */
type Listing = 'describeSubnets' | 'describeInternetGateways' | 'describeRouteTables' | 'describeSecurityGroups';
type Thing<R extends Listing> = Awaited<ReturnType<Ec2Network[R]>>[number];

/** Adds the resource to the cached lists of `read`, as EC2 would return them. */
export const addTo = <R extends Listing>(known: KnownNetwork, read: R, thing: Thing<R>): void => {
  const revision = (filters: readonly Filter[]) => {
    const isThere = isShown(filters, thing);
    if (isThere === undefined) return undefined;
    return (things: Thing<R>[]) => [...things.filter(({ id }) => id !== thing.id), ...(isThere ? [thing] : [])];
  };
  (known.update as (read: R, by: typeof revision) => void)(read, revision);
};

/** Replaces the resource with this id in the cached lists of `read`. */
export const changeIn = <R extends Listing>(
  known: KnownNetwork,
  read: R,
  id: string,
  to: (thing: Thing<R>) => Thing<R>,
): void => {
  const revision = () => (things: Thing<R>[]) => things.map((thing) => (thing.id === id ? to(thing) : thing));
  (known.update as (read: R, by: typeof revision) => void)(read, revision);
};
