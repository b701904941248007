import type { Clock } from '../../shared/clock.ts';
import { createRegistry } from '../../shared/kube-api/create-registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { type ApiServer, createApiServer } from '../../shared/kube-api/server/api-server.ts';
import type { LimitWatches, WatchSettings } from '../../shared/kube-api/server/call.ts';
import { respondFailure } from '../../shared/kube-api/server/respond.ts';
import { StatusError } from '../../shared/kube-api/status-error.ts';
import type { Storage } from '../../shared/kube-api/storage.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { makeAccess } from '../api/access.ts';
import { isForWatch, WATCHES } from '../api/redirect-watch.ts';
import { SERVED_VERSION } from '../api/server-version.ts';
import { WATCH_PACE } from '../api/watch-pace.ts';

const PREFIX = `/${WATCHES}/`;

/**
 * The function's limit is 15 minutes. All watches end then, even those of clients that reconnect automatically: here an
 * abandoned watch costs an eighth of one in the function `api`.
 */
const WATCH: WatchSettings = { ...WATCH_PACE, maxSeconds: 840 };

export interface WatchDependencies {
  kinds: readonly ResourceDefinition[];
  storage: Storage;
  clock: Clock;
  random: Random;
  log: Log;
  translateError?(error: unknown): unknown;
  watch?: WatchSettings;
  limitWatches?: LimitWatches;
}

const refusal = (): StatusError =>
  new StatusError(404, 'NotFound', 'only watches that go on from a resourceVersion are served at this path');

/** The request as sent to the API itself; undefined for any other path. */
const withoutPrefix = (request: Request): Request | undefined => {
  const url = new URL(request.url);
  if (!url.pathname.startsWith(PREFIX)) return undefined;
  url.pathname = url.pathname.slice(PREFIX.length - 1);
  return new Request(url, request);
};

/**
 * That part of the management API that streams changes, below `/watches`: the same server, authorization and limits, and
 * nothing else.
 */
export const createWatchApi = (dependencies: WatchDependencies): ApiServer['fetch'] => {
  const { kinds, storage, clock, random, log, translateError, limitWatches, watch = WATCH } = dependencies;
  const registry = createRegistry({ resources: kinds, storage, clock, random });
  const { control } = makeAccess({ storage, clock, registry, log, admissions: [] });
  const { fetch } = createApiServer({
    ...control,
    resources: kinds,
    storage,
    clock,
    random,
    version: SERVED_VERSION,
    watch,
    limitWatches,
    translateError,
    log,
  });
  return async (request, ...rest) => {
    const asked = withoutPrefix(request);
    return asked && isForWatch(asked) ? fetch(asked, ...rest) : respondFailure(refusal());
  };
};
