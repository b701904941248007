import { ensurePolicy } from '../../shared/access/ensure-policy.ts';
import type { Clock } from '../../shared/clock.ts';
import { contractLabels } from '../../shared/kinds/contract-labels.ts';
import { withFixedObjects } from '../../shared/kube-api/fixed-storage.ts';
import type { Budget } from '../../shared/kube-api/garbage/collector.ts';
import type { OwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { ensureNamespaces } from '../../shared/kube-api/namespaces.ts';
import { createObjectClient } from '../../shared/kube-api/object-client.ts';
import { createRegistry } from '../../shared/kube-api/registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, servedDefinitions } from '../../shared/kube-api/served-definitions.ts';
import { type ApiServer, createApiServer } from '../../shared/kube-api/server/api-server.ts';
import type { WatchSettings } from '../../shared/kube-api/server/call.ts';
import type { Storage } from '../../shared/kube-api/storage.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import { makeAccess } from './access.ts';
import { makeExplain } from './explain.ts';
import { makeTouchClusters, type TouchDependencies } from './touch-clusters.ts';

/** The Kubernetes version whose API conventions are served; clients compare it with their own. */
const SERVED_VERSION = 'v1.34.0+windlass';

/** Half a second is what a person waits at most; a watch ends before the function's limit of 15 minutes. */
const WATCH: WatchSettings = { pollMilliseconds: 500, maxSeconds: 840 };

export interface ApiDependencies {
  kinds: readonly ResourceDefinition[];
  storage: Storage;
  /** Where it is kept who owns what. */
  owners: OwnerIndex;
  touch: TouchDependencies['touch'];
  /** Touches that must not be lost. */
  pledges: TouchDependencies['pledges'];
  clock: Clock;
  random: Random;
  log: Log;
  /** Turns errors of the AWS SDK into those of shared/errors.ts. */
  translateError?(error: unknown): unknown;
  watch?: WatchSettings;
}

/** What a deletion collects before it is answered; the sweep does the rest. */
const GARBAGE_AT_ONCE: Budget = { objects: 100, milliseconds: 5_000 };

/**
 * The management API: answers one request of an authenticated user, and asks for a pass over each cluster that a write
 * concerns. `basePath` is the stage of the gateway, with a slash before it.
 */
export const createApi = (dependencies: ApiDependencies): ApiServer['fetch'] => {
  const { kinds, storage, owners, clock, random, log, translateError, watch = WATCH } = dependencies;
  // Without what follows a write: the first roles and namespaces concern no cluster.
  const registry = createRegistry({ resources: kinds, storage, clock, random });
  const { control, followWrite } = makeAccess({ storage, clock, registry, log });
  const touch = makeTouchClusters(dependencies);
  const server = createApiServer({
    ...control,
    resources: [...kinds, CUSTOM_RESOURCE_DEFINITIONS],
    storage: withFixedObjects(storage, [servedDefinitions(kinds, contractLabels)]),
    clock,
    random,
    version: SERVED_VERSION,
    watch,
    translateError,
    log,
    ownership: {
      index: owners,
      atOnce: GARBAGE_AT_ONCE,
      onFailure: (error) => log.error('Garbage is left to the sweep', { error: String(error) }),
    },
    explain: makeExplain({ objects: createObjectClient(registry), authorize: control.authorize, clock, log }),
    onWrite: followWrite,
    beforeWrite: touch,
  });
  let beginnings: Promise<unknown> | undefined;

  return async (request, user, basePath) => {
    beginnings ??= Promise.all([ensureNamespaces(registry), ensurePolicy(registry)]).catch((error: unknown) => {
      // The next request tries again; this one may well do without.
      beginnings = undefined;
      log.error('The first namespaces and roles could not be made', { error: String(error) });
    });
    await beginnings;
    return server.fetch(request, user, basePath);
  };
};
