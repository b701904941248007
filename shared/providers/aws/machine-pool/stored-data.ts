import { isDeepStrictEqual } from 'node:util';
import type { AWSCluster, AWSMachinePool } from '../../../kinds/index.ts';
import { type ObjectPlace, poolObjectIn } from '../plan/delivery/object.ts';
import { readGroupMemory, withGroupMemory } from './memory.ts';

/** The data that a pool is about to store. */
export interface Storing extends ObjectPlace {
  /** A digest of the data. */
  storedData: string;
  now: Date;
}

/**
 * The pool with the location of its bootstrap data in its record, and with the time if the data are new. Undefined if
 * the same data are already recorded as stored there.
 */
export const withStoring = (
  pool: AWSMachinePool,
  { now, storedData, ...place }: Storing,
): AWSMachinePool | undefined => {
  const { storedIn = [], storedData: known } = readGroupMemory(pool);
  const isPlaceKnown = storedIn.some((one) => isDeepStrictEqual(one, place));
  if (isPlaceKnown && known === storedData) return undefined;
  const places = isPlaceKnown ? storedIn : [...storedIn, place];
  return withGroupMemory(pool, { storedIn: places, storingAt: now.toISOString() });
};

/**
 * All locations where a pool may have bootstrap data. Users may have changed the bucket, or where the data is stored. An
 * earlier version of Windlass recorded no location, only that there was one.
 */
export const storedPlaces = ({ spec }: AWSCluster, pool: AWSMachinePool): ObjectPlace[] => {
  const { storedIn = [], storedData } = readGroupMemory(pool);
  if (storedIn.length > 0) return [...storedIn];
  const { s3Bucket: bucket } = spec;
  const { ignition } = pool.spec ?? {};
  const isWanted = ignition !== undefined && ignition.storageType !== 'UnencryptedUserData';
  const mayBeStored = storedData !== undefined || (isWanted && bucket?.presignedURLDuration === undefined);
  return bucket && mayBeStored ? [poolObjectIn(bucket.name, pool)] : [];
};
