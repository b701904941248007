import { beforeEach, describe, expect, it } from 'vitest';
import { ThrottledError } from '../../shared/errors.ts';
import { KINDS } from '../../shared/kinds/index.ts';
import { createMemoryOwnerIndex } from '../../shared/kube-api/garbage/owner-index.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { jsonLog } from '../../shared/log.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { PledgeStore } from '../../shared/store/work/pledges.ts';
import type { ClusterRef } from '../../shared/work/payloads.ts';
import { createApi } from './app.ts';

const CORE = '/api/v1/namespaces/default';
const INFRASTRUCTURE = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';

interface Answer {
  message: string;
  metadata: { uid: string };
  items: { metadata: { name: string } }[];
}

let touched: ClusterRef[];
let touchedAs: unknown[];
let pledges: PledgeStore;
let touch: (cluster: ClusterRef) => Promise<void>;
let lines: string[];
const NOW = new Date('2026-01-02T03:04:05Z');
let api: ReturnType<typeof createApi>;

beforeEach(() => {
  let count = 0;
  touched = [];
  touchedAs = [];
  pledges = createMemoryPledges({ clock: { now: () => NOW } });
  lines = [];
  touch = async (cluster) => void touched.push(cluster);
  api = createApi({
    kinds: KINDS,
    storage: createMemoryStorage(),
    records: createMemoryRecords(),
    owners: createMemoryOwnerIndex(),
    touch: (cluster, options) => {
      touchedAs.push(options);
      return touch(cluster);
    },
    pledges,
    clock: { now: () => NOW, sleep: async () => {} },
    random: { bytes: (length) => new Uint8Array(length), uuid: () => `uid-${++count}` },
    log: jsonLog((line) => lines.push(line)),
  });
});

const send = (method: string, path: string, body?: object, groups = ['system:masters']) => {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const request = new Request(`https://api${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return api(request, { name: 'arn:aws:iam::1:role/Admin', groups });
};

const cluster = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name, namespace: 'default' },
  spec: {
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: `${name}-infra` },
  },
});
const awsCluster = (name: string) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSCluster',
  metadata: { name, namespace: 'default' },
  spec: { region: 'us-east-1' },
});

describe('the management API', () => {
  it('requests a pass when a cluster, or an object that a cluster refers to, is written', async () => {
    const created = await send('POST', CLUSTERS, cluster('red'));
    expect(created.status, await created.clone().text()).toBe(201);
    const { uid } = ((await created.json()) as Answer).metadata;
    expect(touched).toEqual([{ namespace: 'default', name: 'red', uid }]);
    expect(touchedAs).toEqual([{ isNews: true }]);
    const infra = await send('POST', `${INFRASTRUCTURE}/awsclusters`, awsCluster('red-infra'));
    expect(infra.status, await infra.clone().text()).toBe(201);
    expect(touched).toHaveLength(2);
    await send('POST', `${INFRASTRUCTURE}/awsclusters`, awsCluster('other'));
    expect(touched).toHaveLength(2);
  });

  it('requests no pass when a write changed nothing, failed or was a dry run', async () => {
    await send('POST', CLUSTERS, cluster('red'));
    await send('POST', CLUSTERS, cluster('red'));
    await send('PATCH', `${CLUSTERS}/red`, { metadata: { labels: null } });
    await send('PATCH', `${CLUSTERS}/red?dryRun=All`, { metadata: { labels: { a: 'b' } } });
    expect(touched).toHaveLength(1);
  });

  it('answers a write with success and logs it if its pass cannot be started', async () => {
    touch = async () => {
      throw new ThrottledError('slow down');
    };
    expect((await send('POST', CLUSTERS, cluster('red'))).status).toBe(201);
    expect(lines.join()).toContain('A write was not followed by a pass');
    expect((await send('GET', `${CLUSTERS}/red`)).status).toBe(200);
  });

  it('has the initial namespaces from the start', async () => {
    const list = (await (await send('GET', '/api/v1/namespaces')).json()) as Answer;
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['default', 'kube-system']);
  });

  it("refuses users without admin rights, with the API server's message", async () => {
    const response = await send('GET', `${CORE}/secrets`, undefined, ['system:authenticated']);
    expect(response.status).toBe(403);
    expect(((await response.json()) as Answer).message).toBe(
      'secrets is forbidden: User "arn:aws:iam::1:role/Admin" cannot list resource "secrets" in API group "" in the namespace "default"',
    );
  });
});
