import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
// dynalite with quick parsers, also for the database of tests.
import '../../../infra/local/engines/dynamodb/quick-dynalite.ts';
import { makePolicies } from '../../../functions/api/admission/policies.ts';
import { makeWebhooks } from '../../../functions/api/admission/webhooks.ts';
import { systemClock } from '../../../shared/clock.ts';
import { makeConversionCall, makeWebhookCall } from '../../../shared/extensions/webhook.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { createCatalog } from '../../../shared/kube-api/custom/catalog.ts';
import { makeDefinitionRules } from '../../../shared/kube-api/custom/definition-rules.ts';
import { CUSTOM_DEFINITIONS } from '../../../shared/kube-api/custom/kind.ts';
import { withStoredVersions } from '../../../shared/kube-api/custom/stored-versions.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { createExtendedServer } from '../../../shared/kube-api/server/extended-server.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createDynamoStorage } from '../../../shared/store/objects/dynamo-storage.ts';
import type { Sealer } from '../../../shared/store/objects/sealer.ts';
import { startTestDatabase } from '../../../shared/store/test-table.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import type { Endpoint } from './endpoint.ts';
import { TWINS } from './twins.ts';

/**
 * The kinds as their CustomResourceDefinitions describe them: without rules that a schema cannot express, and without
 * other versions, which the kube-apiserver could convert only with a webhook.
 */
const asSchemaSays = (definition: ResourceDefinition): ResourceDefinition =>
  definition.builtIn
    ? definition
    : {
        ...definition,
        versions: undefined,
        default: undefined,
        validate: undefined,
        validateDelete: undefined,
        warnings: undefined,
      };

export interface OurServer extends Endpoint {
  stop(): Promise<void>;
}

/** Starts Windlass's API server on a free loopback port, with memory or dynalite as its storage. */
export const startOurServer = async (kind: 'memory' | 'dynalite'): Promise<OurServer> => {
  const { storage, close } = await openStorage(kind);
  const own = [...KINDS.map(asSchemaSays), TWINS];
  const https = { deadline: (ms: number) => AbortSignal.timeout(ms), reach: { loopback: true } };
  const callWebhook = makeWebhookCall(https);
  const conversion = { call: makeConversionCall(https), random: systemRandom };
  const catalog = createCatalog(storage, { conversion });
  const webhooks = makeWebhooks({ storage, clock: systemClock, random: systemRandom, log: silentLog, callWebhook });
  const visible = withStoredVersions(storage);
  const furtherResources = async () => (await catalog.current()).resources;
  const policies = makePolicies(
    { storage: visible, clock: systemClock, resources: own, furtherResources },
    webhooks.admitRequest,
  );
  const api = createExtendedServer({
    admitRequest: policies.admitRequest,
    onWrite: async (event) => {
      await webhooks.followWebhooks(event);
      await policies.followPolicies(event);
    },
    catalog,
    resources: [...own, CUSTOM_DEFINITIONS as ResourceDefinition],
    storage: visible,
    ...makeDefinitionRules({ own, catalog, clock: systemClock }),
    clock: systemClock,
    random: systemRandom,
    version: 'v1.35.4',
    watch: { pollMilliseconds: 100, maxSeconds: PATIENCE_SECONDS },
  });
  await ensureNamespaces(api.registry);
  const user = { name: 'conformance', uid: '1', groups: ['system:masters', 'system:authenticated'] };
  return new Promise((resolve) => {
    const server = serve(
      { fetch: (request) => api.fetch(request, user), hostname: '127.0.0.1', port: 0 },
      ({ port }: AddressInfo) => resolve({ url: `http://127.0.0.1:${port}`, stop }),
    );
    // Node would close a connection that idles while a scenario waits, and the next request on it would be reset.
    if ('keepAliveTimeout' in server) server.keepAliveTimeout = PATIENCE_SECONDS * 1000;
    const stop = async (): Promise<void> => {
      const closed = new Promise<void>((stopped) => server.close(() => stopped()));
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
      await close();
    };
  });
};

const openStorage = async (kind: 'memory' | 'dynalite'): Promise<{ storage: Storage; close(): Promise<void> }> => {
  if (kind === 'memory') return { storage: createMemoryStorage(), close: async () => {} };
  const database = await startTestDatabase();
  const table = await database.makeTable();
  // Secrets are not encrypted here: encryption has its own tests.
  const sealer: Sealer = { seal: async (plaintext) => plaintext, open: async (sealed) => sealed };
  const access = { client: database.client, table, clock: systemClock, random: systemRandom };
  const storage = createDynamoStorage({ ...access, sealer });
  return { storage, close: () => database.stop() };
};
