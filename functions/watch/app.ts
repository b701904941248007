import type { Clock } from '../../shared/clock.ts';
import { type CustomDefinition, isEstablished } from '../../shared/kube-api/custom/definition.ts';
import { CUSTOM_DEFINITIONS } from '../../shared/kube-api/custom/kind.ts';
import { type OfCustomKinds, resourcesOf } from '../../shared/kube-api/custom/resource-of.ts';
import { withStoredVersions } from '../../shared/kube-api/custom/stored-versions.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { type ApiServer, createApiServer } from '../../shared/kube-api/server/api-server.ts';
import type { LimitWatches, WatchSettings } from '../../shared/kube-api/server/call.ts';
import { attributesOfRequest } from '../../shared/kube-api/server/request-attributes.ts';
import { respondFailure, toStatusError } from '../../shared/kube-api/server/respond.ts';
import { StatusError } from '../../shared/kube-api/status-error.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import type { CallWebhook } from '../../shared/kube-api/webhooks/invocation.ts';
import type { Log } from '../../shared/log.ts';
import { clusterOfCustom } from '../../shared/outside/kinds.ts';
import type { Random } from '../../shared/random.ts';
import { isForWatch, WATCHES } from '../api/gateway/redirect-watch.ts';
import { SERVED_VERSION } from '../api/server-version.ts';
import { makeAccess } from '../api/tenants/access.ts';
import { WATCH_PACE } from '../api/watch-pace.ts';

const PREFIX = `/${WATCHES}/`;

/**
 * The function's limit is 15 minutes. All watches end then, even those of clients that reconnect automatically: an
 * abandoned watch costs an eighth of what it costs in the function `api`.
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
  /** Calls webhooks that convert custom resources between versions. */
  callConversion?: CallWebhook;
}

const refusal = (): StatusError =>
  new StatusError(404, 'NotFound', 'only watches that continue from a resourceVersion are served at this path');

/** The request as sent to the API itself; undefined for any other path. */
const withoutPrefix = (request: Request): Request | undefined => {
  const url = new URL(request.url);
  if (!url.pathname.startsWith(PREFIX)) return undefined;
  url.pathname = url.pathname.slice(PREFIX.length - 1);
  return new Request(url, request);
};

/**
 * The part of the management API that streams changes, under `/watches`: the same server, authorization and limits, and
 * nothing else.
 */
export const createWatchApi = (dependencies: WatchDependencies): ApiServer['fetch'] => {
  const { kinds, storage, clock, random, log, translateError, limitWatches, watch = WATCH } = dependencies;
  const { callConversion } = dependencies;
  const registry = createRegistry({ resources: kinds, storage, clock, random });
  const { control } = makeAccess({ storage, clock, registry, log, admissions: [] });
  const serverOf = (resources: readonly ResourceDefinition[], of: Storage): ApiServer =>
    createApiServer({
      ...control,
      resources,
      storage: of,
      clock,
      random,
      version: SERVED_VERSION,
      watch,
      limitWatches,
      translateError,
      log,
    });
  const own = serverOf(kinds, storage);

  const serverFor = async (request: Request): Promise<ApiServer> => {
    const { group = '', resource = '' } = attributesOfRequest(request);
    if (kinds.some((one) => one.plural === resource && groupsOf(one).includes(group))) return own;
    const conversion = callConversion && { call: callConversion, random };
    const defined = await definedBy(storage, `${resource}.${group}`, { clusterNameOf: clusterOfCustom, conversion });
    return defined.length > 0 ? serverOf([...kinds, ...defined], withStoredVersions(storage)) : own;
  };

  return async (request, ...rest) => {
    const asked = withoutPrefix(request);
    if (!asked || !isForWatch(asked)) return respondFailure(refusal());
    try {
      return await (await serverFor(asked)).fetch(asked, ...rest);
    } catch (error) {
      return respondFailure(toStatusError(translateError ? translateError(error) : error, log));
    }
  };
};

const groupsOf = ({ group, versions = [] }: ResourceDefinition): string[] => [
  group,
  ...versions.flatMap((version) => version.group ?? []),
];

/** Reads a single definition by its name, so that the function does not need memory for all of them. */
const definedBy = async (
  storage: Storage,
  name: string,
  ofAll: OfCustomKinds,
): Promise<readonly ResourceDefinition[]> => {
  const found = await storage.get(CUSTOM_DEFINITIONS, '', name);
  // The type is safe: every stored item was admitted as a definition.
  const definition = found as CustomDefinition | undefined;
  return definition && isEstablished(definition) ? resourcesOf(definition, ofAll) : [];
};
