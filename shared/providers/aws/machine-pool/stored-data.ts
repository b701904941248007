import { isDeepStrictEqual } from 'node:util';
import type { AWSCluster, AWSMachinePool } from '../../../kinds/index.ts';
import { type ObjectPlace, poolObjectIn } from '../plan/delivery/object.ts';
import { readGroupMemory, withGroupMemory } from './memory.ts';

/** The pool with the location of its bootstrap data in its record; undefined if it is already recorded. */
export const withPlace = (pool: AWSMachinePool, place: ObjectPlace): AWSMachinePool | undefined => {
  const { storedIn = [] } = readGroupMemory(pool);
  return storedIn.some((one) => isDeepStrictEqual(one, place))
    ? undefined
    : withGroupMemory(pool, { storedIn: [...storedIn, place] });
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
