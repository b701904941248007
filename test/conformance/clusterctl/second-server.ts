import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { stringify } from 'yaml';
import { createApi } from '../../../functions/api/app.ts';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/memory-storage.ts';
import { silentLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';

/**
 * The management API over memory, without controllers, on a free port; `kubeconfig` is the file that points to it. What
 * is moved here stays as it came.
 */
export const startSecondServer = async (kubeconfig: string): Promise<{ stop(): Promise<void> }> => {
  const fetch = createApi({
    kinds: KINDS,
    storage: createMemoryStorage(),
    owners: createMemoryOwnerIndex(),
    touch: async () => undefined,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  });
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
  return new Promise((resolve) => {
    const options = { fetch: (request: Request) => fetch(request, user), hostname: '127.0.0.1', port: 0 };
    const server = serve(options, ({ port }: AddressInfo) => {
      writeFileSync(kubeconfig, stringify(kubeconfigOf(`http://127.0.0.1:${port}`)));
      resolve({
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
  });
};

const kubeconfigOf = (server: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'second',
  clusters: [{ name: 'second', cluster: { server } }],
  users: [{ name: 'second', user: {} }],
  contexts: [{ name: 'second', context: { cluster: 'second', user: 'second', namespace: 'default' } }],
});
