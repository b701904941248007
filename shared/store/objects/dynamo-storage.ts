import type { Storage } from '../../kube-api/storage/storage.ts';
import { objectKey } from '../keys.ts';
import { createCodec } from './codec.ts';
import { createCounters } from './counter.ts';
import { isAlive } from './expiry.ts';
import { objectFeeds } from './feed.ts';
import { objectLists } from './lists.ts';
import { objectReads, type TableAccess } from './reads.ts';
import type { Sealer } from './sealer.ts';
import { objectWrites } from './writes.ts';

export interface DynamoStorageDependencies extends TableAccess {
  /** Seals and opens the data of Secrets. */
  sealer: Sealer;
}

/**
 * Objects in DynamoDB. A read is one call. A write is two (take a version, conditional write). A list is one for the
 * version and one for each namespace, and one more while writes are in progress. A poll of a feed is one while nothing
 * changes. The SDK's errors are passed on unchanged (shared/aws/errors.ts translates them).
 */
export const createDynamoStorage = ({ sealer, ...access }: DynamoStorageDependencies): Storage => {
  const reads = objectReads(access);
  const counters = createCounters(access);
  const codec = createCodec(sealer);
  const parts = { ...access, reads, counters, codec };
  return {
    get: async (resource, namespace, name, options) => {
      const stored = await reads.get(objectKey(resource, namespace, name));
      return stored && isAlive(stored, access.clock.now()) ? codec.decode(resource, stored, options) : undefined;
    },
    latestVersion: async (resource) => String((await counters.read(resource)).version),
    ...objectLists(parts),
    ...objectWrites(parts),
    ...objectFeeds(parts),
  };
};
