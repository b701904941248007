import { writeFileSync } from 'node:fs';
import { createApi } from '../../functions/api/app.ts';
import { redirectWatch, WATCHES } from '../../functions/api/gateway/redirect-watch.ts';
import { createWatchApi } from '../../functions/watch/app.ts';
import { systemClock } from '../../shared/clock.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import type { WatchSettings } from '../../shared/kube-api/server/call.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { type Listening, listen } from './listen.ts';

export interface ManagementApi extends Listening {
  /** The method and the URL of each request so far. Redirected watches are recorded with the new URL only. */
  requests: string[];
}

interface Options {
  /** Settings for shorter watches than in production, for clients that must resume them. */
  watch?: WatchSettings;
  /** How many changes of a kind are kept for watches. */
  keepEvents?: number;
  /** The storage of a previous server. */
  storage?: Storage;
  /** By default a free port. */
  port?: number;
}

/**
 * Starts the management API and the function for watches behind the stage of a gateway. Objects are stored in memory,
 * there are no controllers, and the caller is an admin. So nothing but requests changes objects.
 */
export const startManagementApi = async ({
  watch,
  keepEvents,
  storage = createMemoryStorage({ keepEvents }),
  port,
}: Options = {}): Promise<ManagementApi> => {
  const basePath = '/k8s';
  const common = { kinds: KINDS, storage, clock: systemClock, random: systemRandom, log: silentLog };
  const settings = watch ? { watch } : {};
  const watchApi = createWatchApi({ ...common, ...settings });
  const api = createApi({
    ...common,
    records: createMemoryRecords(),
    owners: createMemoryOwnerIndex(),
    touch: async () => undefined,
    pledges: createMemoryPledges({ clock: systemClock }),
    ...settings,
  });
  const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const requests: string[] = [];
  const listening = await listen(
    async (request) => {
      const inner = new URL(request.url);
      inner.pathname = inner.pathname.slice(basePath.length);
      const asked = new Request(inner, request);
      // Redirects watches as functions/api/gateway/answer.ts does.
      const elsewhere = redirectWatch(asked);
      if (elsewhere) return elsewhere;
      requests.push(`${request.method} ${request.url}`);
      const serve = inner.pathname.startsWith(`/${WATCHES}/`) ? watchApi : api;
      return serve(asked, user, basePath);
    },
    basePath,
    port,
  );
  return { ...listening, requests };
};

/** Writes a kubeconfig for the server, without credentials. JSON is valid YAML. */
export const writeKubeconfig = (file: string, server: string): void =>
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server } }],
      users: [{ name: 'test', user: {} }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'default' } }],
    }),
  );
