import type { ResourceId } from '../../kube-api/object.ts';
import type { StoredObject } from './codec.ts';

/**
 * As upstream's API server keeps events (`--event-ttl`): an hour from the last write of each. That is longer than any
 * cursor of a watch is valid (`RETENTION_MS`), so no watch has to report an expired event.
 */
const EVENT_SECONDS = 60 * 60;

/** The second since 1970 at which an object ends that is written now; undefined for kinds that stay until deleted. */
export const expiryOf = ({ group, plural }: ResourceId, now: Date): number | undefined =>
  group === '' && plural === 'events' ? secondsOf(now) + EVENT_SECONDS : undefined;

/** The whole second: an item ends when its `expires` has come. */
export const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1000);

/** Neither removed nor expired: DynamoDB drops expired items some time later, up to days. */
export const isAlive = ({ deletedAt, expires }: Pick<StoredObject, 'deletedAt' | 'expires'>, now: Date): boolean =>
  deletedAt === undefined && (expires === undefined || expires > secondsOf(now));
