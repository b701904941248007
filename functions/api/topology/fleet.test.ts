import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { createTestApi } from '../test-api.ts';

const CLUSTERS = 500;
/** The time of a write to the table and a StartExecution on AWS. */
const TOUCH_MS = 100;
const START = Date.parse('2026-01-02T03:04:05Z');
const CLASSES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusterclasses';
const TEMPLATES = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsclustertemplates';

const ref = (group: string, kind: string) => ({
  templateRef: { apiVersion: `${group}.cluster.x-k8s.io/v1beta2`, kind, name: 'shared' },
});
const classNamed = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'ClusterClass',
  metadata: { name, namespace: 'default' },
  spec: {
    infrastructure: ref('infrastructure', 'AWSClusterTemplate'),
    controlPlane: ref('controlplane', 'KubeadmControlPlaneTemplate'),
  },
});
const template = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSClusterTemplate',
  metadata: { name: 'shared', namespace: 'default' },
  spec: { template: { spec: { region: 'us-east-1' } } },
};
const clusterNamed = (index: number) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: `c-${index}`, namespace: `team-${index % 10}`, uid: `uid-of-${index}` },
  spec: { topology: { classRef: { name: `class-${index % 2}`, namespace: 'default' }, version: 'v1.34.0' } },
});

/** A storage that counts the lists of clusters in all namespaces, and those that would transfer every cluster. */
const counted = (storage: Storage) => {
  const counts = { lists: 0, whole: 0 };
  const list: Storage['list'] = (resource, options) => {
    if (resource.plural === kinds.cluster.plural && options.namespace === undefined) {
      counts.lists += 1;
      if (!options.naming || !options.unversioned) counts.whole += 1;
    }
    return storage.list(resource, options);
  };
  return { counts, storage: { ...storage, list } };
};

const fleet = async (touchMs: number) => {
  let now = START;
  const seen = { touched: [] as string[] };
  const running: { end: number; finish(): void }[] = [];
  /** Lets the touch end that is due first, and sets the clock to its time. */
  const endNext = () => {
    const [first] = running.sort((a, b) => a.end - b.end).splice(0, 1);
    now = Math.max(now, first?.end ?? now);
    first?.finish();
  };
  const touch = async ({ uid }: ClusterRef) => {
    await new Promise<void>((finish) => {
      running.push({ end: now + touchMs, finish });
      setImmediate(endNext);
    });
    seen.touched.push(uid);
  };
  const memory = createMemoryStorage();
  const { counts, storage } = counted(memory);
  const clock = { now: () => new Date(now), sleep: async () => {} };
  const pledges = createMemoryPledges({ clock });
  const { admin } = createTestApi(storage, { touch, clock, pledges });
  for (const name of ['class-0', 'class-1'])
    expect((await admin.ask('POST', CLASSES, classNamed(name))).code).toBe(201);
  expect((await admin.ask('POST', TEMPLATES, template)).code).toBe(201);
  for (let index = 0; index < CLUSTERS * 2; index += 1)
    await memory.create(kinds.cluster, clusterNamed(index), undefined);
  Object.assign(counts, { lists: 0, whole: 0 });
  now = START;
  return { admin, counts, seen, pledges, elapsed: () => now - START, later: () => new Date(now + 3_600_000) };
};

const CHANGE = { spec: { controlPlane: { metadata: { labels: { tier: 'gold' } } } } };

describe('a change that affects 500 clusters', () => {
  it('touches each of them once, within two seconds, and reads the clusters of the class twice', async () => {
    const made = await fleet(TOUCH_MS);
    const { code } = await made.admin.ask('PATCH', `${CLASSES}/class-0`, CHANGE);
    expect(code).toBe(200);
    expect(new Set(made.seen.touched).size).toBe(CLUSTERS);
    expect(made.seen.touched).toHaveLength(CLUSTERS);
    expect(made.elapsed()).toBeLessThan(2000);
    expect(made.counts).toEqual({ lists: 2, whole: 0 });
    expect(await made.pledges.open(made.later())).toEqual([]);
  });

  it('reads the clusters once if it is a change of a template, however many classes use it', async () => {
    const made = await fleet(10);
    const changed = {
      spec: { template: { spec: { region: 'eu-west-1' } } },
      metadata: { annotations: { tier: 'gold' } },
    };
    const { code } = await made.admin.ask('PATCH', `${TEMPLATES}/shared`, { metadata: changed.metadata });
    expect(code).toBe(200);
    expect(made.seen.touched).toHaveLength(CLUSTERS * 2);
    expect(made.counts).toEqual({ lists: 1, whole: 0 });
  });
});

it('only the clusters that cannot be touched in time are left to the sweep', async () => {
  const { admin, seen, pledges, elapsed, later } = await fleet(1000);
  const { code } = await admin.ask('PATCH', `${CLASSES}/class-0`, CHANGE);
  expect(code).toBe(200);
  expect(elapsed()).toBeLessThanOrEqual(3000);
  const open = await pledges.open(later());
  const left = open.flatMap((one) => ('clusters' in one ? one.clusters.map(({ uid }) => uid) : []));
  expect(left.length).toBeGreaterThan(0);
  expect([...left, ...seen.touched].sort()).toEqual(
    Array.from({ length: CLUSTERS }, (_, index) => `uid-of-${index * 2}`).sort(),
  );
});
