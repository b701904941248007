import type { Clock } from '../../clock.ts';
import type { ObjectKey } from '../object.ts';
import type { Registry } from '../registry/registry.ts';
import { methodNotSupported, type StatusError } from '../status-error.ts';
import type { Accepted } from './accept.ts';
import type { Target } from './target.ts';
import type { User } from './user.ts';

export interface WatchSettings {
  /** How long a watch waits between two polls of the storage. */
  pollMilliseconds: number;
  /** A watch ends after this long at the latest. `kubectl get --watch` ends with it. */
  maxSeconds: number;
  /**
   * The same for clients that allow bookmarks: these are informers, which continue from the last version by themselves
   * and lose nothing if the watch ends early. The default is `maxSeconds`.
   */
  maxResumedSeconds?: number;
  /** A longer wait for a watch in which nothing has changed for some time; by default the usual one. */
  quiet?: { afterMilliseconds: number; pollMilliseconds: number };
  /** An idle watch writes a newline at this interval, so that no proxy closes the connection; the default is 10 000. */
  keepAliveMilliseconds?: number;
}

/**
 * Called before a watch starts, with the authenticated user and the maximum duration in seconds. Resolves to a function
 * that is called when the watch has ended. Throws a StatusError 429 if there are too many watches.
 */
export type LimitWatches = (principal: User, seconds: number) => Promise<() => Promise<void>>;

/** One request for a resource, parsed from its URL and headers. */
export interface Call extends Target {
  registry: Registry;
  clock: Clock;
  request: Request;
  /** The path of the URL. */
  path: string;
  query: URLSearchParams;
  accepted: Accepted;
  watch: WatchSettings;
  /** Like LimitWatches, for the caller. */
  openWatch(seconds: number): Promise<() => Promise<void>>;
  /** Whether the definition of the resource has changed since the call began, so that a watch must not continue. */
  isRedefined(): Promise<boolean>;
  /**
   * Throws a StatusError 403 if the user may not do this to the target. For rights that depend on the content of a
   * request.
   */
  requireVerb(verb: string): Promise<void>;
  /** The API's own form of any error. Errors that are not meant for clients are logged. */
  toFailure(error: unknown): StatusError;
}

/** The key of the object in the call. Throws a StatusError 405 if the call is for a collection. */
export const keyOf = ({ namespace, name, resource, request }: Call): ObjectKey => {
  if (name === undefined) throw methodNotSupported(resource, request.method.toLowerCase());
  return { namespace, name };
};

/**
 * The namespace to which lists and watches of the call are limited, if any. Objects of the cluster are stored in the
 * empty namespace; a storage that is given no namespace reads all of them.
 */
export const namespaceOption = ({ resource, namespace }: Call): { namespace?: string } => {
  if (!resource.namespaced) return { namespace: '' };
  return namespace === '' ? {} : { namespace };
};
