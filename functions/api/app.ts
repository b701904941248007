import { ensurePolicy } from '../../shared/access/ensure-policy.ts';
import type { Clock } from '../../shared/clock.ts';
import { describeError } from '../../shared/decode/describe-error.ts';
import { firstStatus } from '../../shared/distributions/first-status.ts';
import type { Catalog } from '../../shared/kube-api/custom/catalog.ts';
import { makeFollowDefinitions } from '../../shared/kube-api/custom/removal.ts';
import type { Budget } from '../../shared/kube-api/garbage/contract.ts';
import type { OwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../shared/kube-api/registry/namespaces.ts';
import type { WriteEvent } from '../../shared/kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import type { LoadTexts } from '../../shared/kube-api/schema/with-descriptions.ts';
import type { ApiServer } from '../../shared/kube-api/server/api-server.ts';
import type { LimitWatches, WatchSettings } from '../../shared/kube-api/server/call.ts';
import { createExtendedServer } from '../../shared/kube-api/server/extended-server.ts';
import type { Authorize } from '../../shared/kube-api/server/user.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import type { CallWebhook } from '../../shared/kube-api/webhooks/invocation.ts';
import type { Log } from '../../shared/log.ts';
import { contractKindsOf } from '../../shared/outside/kinds.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import type { Random } from '../../shared/random.ts';
import { withOutside } from '../../shared/store/outside-client.ts';
import type { Records } from '../../shared/store/records/records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import { makeAdmitProfiles } from '../providers/aws/api/admit-profiles.ts';
import { makeAdmitHosts } from '../providers/hosts/admit.ts';
import { makePolicies } from './admission/policies.ts';
import { makeWebhooks, type WebhookDependencies } from './admission/webhooks.ts';
import { type Served, serveCustomKinds } from './custom/kinds.ts';
import { makeExplain } from './explain.ts';
import { makeForgetRemoved } from './forget-removed.ts';
import { makeMetrics } from './metrics/metrics.ts';
import { makeAdmitKeys } from './rancher/admit-keys.ts';
import { SERVED_VERSION } from './server-version.ts';
import { type AccessDependencies, makeAccess } from './tenants/access.ts';
import { makeFollowNamespaces } from './tenants/namespace-quota.ts';
import { makeAdmitClass } from './topology/admit-class.ts';
import { makeKeepTemplates } from './topology/keep-templates.ts';
import { makeReadOutside } from './topology/read-outside.ts';
import { makeTopologyRules } from './topology/rules.ts';
import { makeTouchClusters, type TouchDependencies } from './touch-clusters.ts';
import { WATCH_PACE } from './watch-pace.ts';

/**
 * A watch ends before the function's limit of 15 minutes. If a client disconnects, its watch continues to the end,
 * because a function on AWS is not notified. Watches of clients that reconnect automatically are therefore short.
 */
const WATCH: WatchSettings = { ...WATCH_PACE, maxSeconds: 840, maxResumedSeconds: 300 };

export interface ApiDependencies {
  kinds: readonly ResourceDefinition[];
  /** Loads the descriptions of the kinds' fields, at the first request that shows them. */
  loadTexts?: LoadTexts;
  storage: Storage;
  /** The controllers' records, which are read for previews and never served. */
  records: Records;
  /** The index of owners and their dependents. */
  owners: OwnerIndex;
  touch: TouchDependencies['touch'];
  /** The instance profiles that the installation lists; by default, those of the AWS provider's machines. */
  instanceProfiles?: readonly string[];
  /** Whether clusters on hosts are served; `true` unless given. */
  servesHosts?: boolean;
  /** Touches that must not be lost. */
  pledges: TouchDependencies['pledges'];
  clock: Clock;
  random: Random;
  log: Log;
  /** Converts errors of the AWS SDK to those of shared/errors.ts. */
  translateError?(error: unknown): unknown;
  watch?: WatchSettings;
  /** Without it, any number of watches may be open. */
  limitWatches?: LimitWatches;
  /** Calls admission webhooks. */
  callWebhook?: WebhookDependencies['callWebhook'];
  /** Calls webhooks that convert custom resources between versions. */
  callConversion?: CallWebhook;
  /** The limits of each new namespace, as `hard` of its quota. */
  namespaceQuota?: Readonly<Record<string, string>>;
}

/** The limits of garbage collection before a deletion is answered; the sweep does the rest. */
const GARBAGE_AT_ONCE: Budget = { objects: 100, milliseconds: 5_000 };

const ownershipOf = (index: ApiDependencies['owners'], log: Log) => ({
  index,
  atOnce: GARBAGE_AT_ONCE,
  onFailure: (error: unknown) => log.error('Garbage is left to the sweep', describeError(error)),
});

/** Objects as the controllers see them, including those of external providers, for plans; it writes nothing. */
const readsOf = ({ kinds: resources, clock, random }: ApiDependencies, { storage, catalog }: Served) =>
  withOutside(createObjectClient(createRegistry({ resources, storage, clock, random })), catalog);

const planReads = (objects: ObjectClient, { catalog }: Served) => ({
  ...objects,
  contractKinds: contractKindsOf(() => catalog.current()),
});

const rulesOf = (deps: ApiDependencies, served: () => Served) =>
  makeTopologyRules(
    deps.storage,
    makeReadOutside(() => planReads(readsOf(deps, served()), served())),
  );

const followRemoval = (server: () => ApiServer, catalog: Catalog, clock: Clock) =>
  makeFollowDefinitions(() => ({ registry: server().registry, catalog, clock, budget: GARBAGE_AT_ONCE }));

/** Checks that refuse new and changed objects which the roles of a user allow. */
const admissionsOf = (deps: ApiDependencies): AccessDependencies['admissions'] => {
  const { storage, instanceProfiles = DEFAULT_INSTANCE_PROFILES, servesHosts = true } = deps;
  const admitProfiles = (authorize: Authorize) => makeAdmitProfiles({ storage, authorize, instanceProfiles });
  return [admitProfiles, makeAdmitHosts(servesHosts), makeAdmitKeys(servesHosts)];
};

const accessOf = (deps: ApiDependencies): Omit<AccessDependencies, 'registry'> => ({
  storage: deps.storage,
  clock: deps.clock,
  log: deps.log,
  admissions: admissionsOf(deps),
  admitRelated: makeAdmitClass,
});

type Follow = (event: WriteEvent) => Promise<void>;

const inTurn =
  (...follows: readonly Follow[]): Follow =>
  async (event) => {
    for (const follow of follows) await follow(event);
  };

/** Webhooks and policies that admins configure. */
const admissionOf = (deps: ApiDependencies, served: Served) => {
  const { admitRequest: next, followWebhooks } = makeWebhooks(deps);
  const { admitRequest, followPolicies } = makePolicies({ ...served, clock: deps.clock }, next);
  return { admitRequest, followAdmission: inTurn(followWebhooks, followPolicies) };
};

const prepareWrites = (deps: ApiDependencies, served: Served, server: () => ApiServer) => {
  const keepTemplates = makeKeepTemplates(() => planReads(createObjectClient(server().registry), served));
  const touchClusters = makeTouchClusters(deps);
  return (event: WriteEvent) => keepTemplates(event).then(() => touchClusters(event));
};

/**
 * The management API: answers one request of an authenticated user, and requests a pass over each cluster that a write
 * concerns. `basePath` is the stage of the gateway, with a leading slash.
 */
export const createApi = (dependencies: ApiDependencies): ApiServer['fetch'] => {
  const { kinds, loadTexts, storage, records, owners, clock, random, log, translateError, limitWatches } = dependencies;
  // Its writes trigger nothing else, because the first roles and namespaces concern no cluster.
  const registry = createRegistry({ resources: kinds, storage, clock, random });
  const { control, followWrite } = makeAccess({ ...accessOf(dependencies), registry });
  const followNamespaces = makeFollowNamespaces(registry, dependencies.namespaceQuota);
  const forgetRemoved = makeForgetRemoved({ records, log });
  const served: Served = serveCustomKinds({ ...dependencies, loadTexts, rules: rulesOf(dependencies, () => served) });
  const { admitRequest, followAdmission } = admissionOf(dependencies, served);
  const objects = planReads(withMemory(readsOf(dependencies, served), records), served);
  const followDefinitions = followRemoval(() => server, served.catalog, clock);
  const server: ApiServer = createExtendedServer({
    ...control,
    ...served,
    loadTexts,
    clock,
    random,
    firstStatus,
    version: SERVED_VERSION,
    watch: dependencies.watch ?? WATCH,
    limitWatches,
    translateError,
    log,
    ownership: ownershipOf(owners, log),
    admitRequest,
    explain: makeExplain({ objects, authorize: control.authorize, clock, log }),
    paths: { '/metrics': makeMetrics({ objects: createObjectClient(registry), clock, log }) },
    onWrite: inTurn(followWrite, followAdmission, followNamespaces, followDefinitions, forgetRemoved),
    beforeWrite: prepareWrites(dependencies, served, () => server),
  });
  let beginnings: Promise<unknown> | undefined;

  return async (request, user, basePath, audit) => {
    beginnings ??= Promise.all([ensureNamespaces(registry), ensurePolicy(registry)]).catch((error: unknown) => {
      // The next request tries again; this one may not need them.
      beginnings = undefined;
      log.error('The first namespaces and roles could not be created', describeError(error));
    });
    await beginnings;
    return server.fetch(request, user, basePath, audit);
  };
};
