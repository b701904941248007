import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { systemClock } from '../../../shared/clock.ts';
import { withFixedObjects } from '../../../shared/kube-api/fixed-storage.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/memory-storage.ts';
import { ensureNamespaces } from '../../../shared/kube-api/namespaces.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, servedDefinitions } from '../../../shared/kube-api/served-definitions.ts';
import { type ApiServer, createApiServer } from '../../../shared/kube-api/server/api-server.ts';
import { TEST_KINDS } from '../../../shared/kube-api/test-kinds.ts';
import { systemRandom } from '../../../shared/random.ts';

/** An API server over memory on a free port of the loopback interface, below `basePath` as a gateway's stage is. */
export const startServer = async (
  basePath = '',
): Promise<{
  url: string;
  api: ApiServer;
  requests: string[];
  stop(): Promise<void>;
}> => {
  const api = createApiServer({
    resources: [...TEST_KINDS, CUSTOM_RESOURCE_DEFINITIONS],
    storage: withFixedObjects(createMemoryStorage(), [servedDefinitions(TEST_KINDS, () => ({}))]),
    ownership: { index: createMemoryOwnerIndex(), atOnce: { objects: 100, milliseconds: 5_000 } },
    clock: systemClock,
    random: systemRandom,
    version: 'v1.32.0+windlass',
    // Watches end early on purpose, so that kubectl has to take them up again.
    watch: { pollMilliseconds: 50, maxSeconds: 3, keepAliveMilliseconds: 200 },
  });
  await ensureNamespaces(api.registry);
  const requests: string[] = [];
  const user = { name: 'kubectl', groups: ['system:authenticated'] };
  return new Promise((resolve) => {
    const server = serve(
      {
        fetch: (request) => {
          requests.push(`${request.method} ${request.url}`);
          const inner = new URL(request.url);
          inner.pathname = inner.pathname.slice(basePath.length);
          return api.fetch(new Request(inner, request), user, basePath);
        },
        hostname: '127.0.0.1',
        port: 0,
      },
      ({ port }: AddressInfo) => resolve({ url: `http://127.0.0.1:${port}${basePath}`, api, requests, stop }),
    );
    const stop = (): Promise<void> =>
      new Promise((stopped) => {
        server.close(() => stopped());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
  });
};
