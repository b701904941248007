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
   * The same for clients who allow bookmarks: these are informers, which ask again from the last version by themselves
   * and lose nothing by an early end; `maxSeconds` unless given.
   */
  maxResumedSeconds?: number;
  /** A longer wait, for a watch in which nothing has changed for some time; as ever unless given. */
  quiet?: { afterMilliseconds: number; pollMilliseconds: number };
  /** An idle watch writes a newline this often, so that nothing between server and client closes it; 10 000 unless given. */
  keepAliveMilliseconds?: number;
}

/**
 * Called before a watch starts, with the authenticated user and the seconds that it may last. It resolves to a function
 * that is called when the watch has ended. Throws a StatusError 429 if there are too many.
 */
export type LimitWatches = (principal: User, seconds: number) => Promise<() => Promise<void>>;

/** One request for a resource, parsed from its URL and headers. */
export interface Call extends Target {
  registry: Registry;
  clock: Clock;
  request: Request;
  /** Of the URL. */
  path: string;
  query: URLSearchParams;
  accepted: Accepted;
  watch: WatchSettings;
  /** As LimitWatches, for the caller. */
  openWatch(seconds: number): Promise<() => Promise<void>>;
  /** Whether the definition of the resource has changed since the call began, so that a watch must not continue. */
  isRedefined(): Promise<boolean>;
  /**
   * Throws a StatusError 403 if the user may not do this to the target: for rights that depend on the content of a
   * request.
   */
  requireVerb(verb: string): Promise<void>;
  /** The API's own form of any error; what is not meant for clients is logged. */
  toFailure(error: unknown): StatusError;
}

/** The key of the object that the call names; a StatusError 405 for a call that names a collection. */
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
