import type { Clock } from '../../shared/clock.ts';
import { createApiServer } from '../../shared/kube-api/server/api-server.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { type Gizmo, TEST_KINDS } from '../../shared/kube-api/test-kinds.ts';
import { seededRandom } from '../../shared/seeded-random.ts';

/** An API server of toys with two interfaces: requests, and the client of Windlass's own controllers. */
export interface ToyServer {
  /** PATCH merges, APPLY is a server-side apply. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  controllers: ObjectClient;
}

/** The path of the collection that all clients write to. */
export const PATH = '/apis/toys.windlass.dev/v1beta2/namespaces/default/gizmos';

const USER = { name: 'tester', groups: [] };

const PATCHES: Readonly<Record<string, [method: string, type: string]>> = {
  PATCH: ['PATCH', 'application/merge-patch+json'],
  APPLY: ['PATCH', 'application/apply-patch+yaml'],
};

/** Watches poll often, so that a run takes no longer than its writes. */
const WATCH = { pollMilliseconds: 30, maxSeconds: 60, keepAliveMilliseconds: 30 };

export const serveToys = (storage: Storage, clock: Clock, seed: number): ToyServer => {
  const random = seededRandom(seed);
  const server = createApiServer({
    resources: TEST_KINDS,
    storage,
    clock,
    random,
    version: 'v1.34.0',
    watch: WATCH,
  });
  return {
    controllers: createObjectClient(server.registry),
    send: (method, path, body) => {
      const [verb, type] = PATCHES[method] ?? [method, 'application/json'];
      const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
      return server.fetch(new Request(`http://test${path}`, { method: verb, ...content }), USER);
    },
  };
};

/** The object of a response that must be a success. */
export const objectOf = async (response: Response): Promise<Gizmo> => {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Gizmo;
};

export const versionOf = ({ metadata }: Pick<Gizmo, 'metadata'>): number => Number(metadata.resourceVersion);

/** The current collection. */
export const listToys = async ({ send }: ToyServer): Promise<{ items: Gizmo[]; version: number }> => {
  const list = await (await send('GET', PATH)).json();
  const { items, metadata } = list as { items: Gizmo[]; metadata: { resourceVersion: string } };
  return { items, version: Number(metadata.resourceVersion) };
};

export const toy = (name: string): Partial<Gizmo> => ({
  apiVersion: 'toys.windlass.dev/v1beta2',
  kind: 'Gizmo',
  metadata: { name },
  spec: { version: 'v1.0', size: 0 },
});
