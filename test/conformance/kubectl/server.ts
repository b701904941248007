import { redirectWatch, WATCHES } from '../../../functions/api/gateway/redirect-watch.ts';
import { systemClock } from '../../../shared/clock.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, servedDefinitions } from '../../../shared/kube-api/served-definitions.ts';
import { type ApiServer, createApiServer } from '../../../shared/kube-api/server/api-server.ts';
import { withFixedObjects } from '../../../shared/kube-api/storage/fixed-storage.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { TEST_KINDS } from '../../../shared/kube-api/test-kinds.ts';
import { systemRandom } from '../../../shared/random.ts';
import { type Listening, listen } from '../listen.ts';

/**
 * Starts an API server that stores its objects in memory, on a free loopback port. `basePath` stands for the stage of a
 * gateway.
 */
export const startServer = async (basePath = ''): Promise<Listening & { api: ApiServer; requests: string[] }> => {
  const api = createApiServer({
    resources: [...TEST_KINDS, CUSTOM_RESOURCE_DEFINITIONS],
    storage: withFixedObjects(createMemoryStorage(), [servedDefinitions(TEST_KINDS, () => ({}))]),
    ownership: { index: createMemoryOwnerIndex(), atOnce: { objects: 100, milliseconds: 5_000 } },
    clock: systemClock,
    random: systemRandom,
    version: 'v1.32.0+windlass',
    // Watches deliberately end early, so that kubectl must resume them.
    watch: { pollMilliseconds: 50, maxSeconds: 3, keepAliveMilliseconds: 200 },
  });
  await ensureNamespaces(api.registry);
  const requests: string[] = [];
  const user = { name: 'kubectl', groups: ['system:authenticated'] };
  const listening = await listen(async (request) => {
    const inner = new URL(request.url);
    inner.pathname = inner.pathname.slice(basePath.length);
    // Redirects watches like the management API. This server also stands in for the function that serves them.
    const elsewhere = redirectWatch(new Request(inner, request));
    if (elsewhere) return elsewhere;
    requests.push(`${request.method} ${request.url}`);
    inner.pathname = inner.pathname.replace(new RegExp(`^/${WATCHES}/`), '/');
    return api.fetch(new Request(inner, request), user, basePath);
  }, basePath);
  return { ...listening, api, requests };
};
