import { KINDS } from '../../shared/kinds/index.ts';
import { loadTexts } from '../../shared/kinds/load-texts.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../shared/log.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import { type ApiDependencies, createApi } from './app.ts';

/** For tests: the management API over memory, and users who send it requests. */

export const ARN = (name: string) => `arn:aws:iam::000000000000:role/${name}`;

export interface Answer {
  code: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of all endpoints, whose shape is what the tests assert.
  body: any;
}

export const createTestApi = (storage: Storage = createMemoryStorage(), more: Partial<ApiDependencies> = {}) => {
  let now = Date.parse('2026-01-02T03:04:05Z');
  let count = 0;
  const another = () =>
    createApi({
      kinds: KINDS,
      loadTexts,
      storage,
      records: createMemoryRecords(),
      owners: createMemoryOwnerIndex(),
      touch: async () => {},
      pledges: createMemoryPledges({ clock: { now: () => new Date(now) } }),
      clock: {
        now: () => new Date(now),
        sleep: async (milliseconds) => {
          now += milliseconds;
          await new Promise((resolve) => setImmediate(resolve));
        },
      },
      random: { bytes: (length) => new Uint8Array(length), uuid: () => `uid-${++count}` },
      log: silentLog,
      ...more,
    });
  const api = another();

  /**
   * A user with a token; `groups` are added to those of every user. `through` is another process with the same table.
   */
  const user = (name: string, groups: string[] = [], through = api) => {
    const who = { name: name.includes(':') ? name : ARN(name), groups: [...groups, 'system:authenticated'] };
    const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const all = { 'content-type': type, ...headers };
      return through(new Request(`https://api${path}`, { method, headers: all, ...content }), who);
    };
    const ask = async (...request: Parameters<typeof send>): Promise<Answer> => {
      const response = await send(...request);
      return { code: response.status, body: await response.json() };
    };
    return { send, ask };
  };
  return { user, admin: user('WindlassAdmin', ['system:masters']), another, wait: (ms: number) => (now += ms) };
};

export const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const GROUP = 'rbac.authorization.k8s.io';
const head = (kind: string, name: string) => ({ apiVersion: `${GROUP}/v1`, kind, metadata: { name } });

export const clusterRole = (name: string, ...rules: object[]) => ({ ...head('ClusterRole', name), rules });

export const binding = (name: string, subject: object, role: string, kind = 'ClusterRole') => ({
  ...head('RoleBinding', name),
  subjects: [subject],
  roleRef: { apiGroup: GROUP, kind, name: role },
});

export const clusterBinding = (name: string, subject: object, role: string) => ({
  ...binding(name, subject, role),
  ...head('ClusterRoleBinding', name),
});

export const user = (name: string) => ({ kind: 'User', apiGroup: GROUP, name: ARN(name) });
export const group = (name: string) => ({ kind: 'Group', apiGroup: GROUP, name });
