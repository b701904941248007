import type { ResourceId } from '../../kube-api/object.ts';
import type { StoredObject } from './codec.ts';

/**
 * Events are kept as long as in upstream's API server (`--event-ttl`): an hour after the last write of each. That is
 * longer than any cursor of a watch is valid (`RETENTION_MS`), so no watch has to report an expired event.
 */
const EVENT_SECONDS = 60 * 60;

/**
 * The second since 1970 in which an object expires that is written now; undefined for kinds that stay until they are
 * deleted.
 */
export const expiryOf = ({ group, plural }: ResourceId, now: Date): number | undefined =>
  group === '' && plural === 'events' ? secondsOf(now) + EVENT_SECONDS : undefined;

/** Rounded down, because an item expires when the second in `expires` has come. */
export const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1000);

/** Neither removed nor expired. DynamoDB drops expired items later, sometimes after days. */
export const isAlive = ({ deletedAt, expires }: Pick<StoredObject, 'deletedAt' | 'expires'>, now: Date): boolean =>
  deletedAt === undefined && (expires === undefined || expires > secondsOf(now));
