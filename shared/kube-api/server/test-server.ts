import { ensureNamespaces } from '../registry/namespaces.ts';
import type { WriteEvent } from '../registry/registry.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, servedDefinitions } from '../served-definitions.ts';
import { withFixedObjects } from '../storage/fixed-storage.ts';
import { createMemoryStorage } from '../storage/memory-storage.ts';
import { TEST_KINDS } from '../test-kinds.ts';
import { type ApiServerOptions, createApiServer } from './api-server.ts';

/** A server of the test kinds whose clock advances only with sleeps, and whose uids count up. */
export const createTestServer = async (options: Partial<ApiServerOptions> = {}) => {
  let now = Date.parse('2026-01-02T03:04:05Z');
  let count = 0;
  const written: WriteEvent[] = [];
  const server = createApiServer({
    resources: [...TEST_KINDS, CUSTOM_RESOURCE_DEFINITIONS],
    storage: withFixedObjects(createMemoryStorage(), [servedDefinitions(TEST_KINDS, () => ({}))]),
    clock: {
      now: () => new Date(now),
      sleep: async (milliseconds) => {
        now += milliseconds;
        // Lets other tasks continue, as a real sleep would.
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    random: {
      bytes: (length) => Uint8Array.from({ length }, () => count++ % 256),
      uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    },
    version: 'v1.34.0+windlass',
    watch: { pollMilliseconds: 100, maxSeconds: 5 },
    onWrite: async (event) => void written.push(event),
    ...options,
  });
  await ensureNamespaces(server.registry);
  written.length = 0;
  const user = { name: 'tester', groups: ['testers'] };

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.fetch(
      new Request(`http://test${path}`, {
        method,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      }),
      user,
    );

  /** The response to a request with its status code; the body is parsed if it is JSON. */
  const call = async (...request: Parameters<typeof send>) => {
    const response = await send(...request);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    // biome-ignore lint/suspicious/noExplicitAny: the answers of all endpoints, whose shape is what the tests assert.
    return { code: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as any };
  };
  const advance = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { server, send, call, written, advance };
};

export const PATH = '/apis/toys.windlass.dev/v1beta2/namespaces/default/gizmos';
