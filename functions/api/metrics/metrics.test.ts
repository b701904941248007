import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { TransientError } from '../../../shared/errors.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { silentLog } from '../../../shared/log.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { ARN, clusterBinding, createTestApi, group, user } from '../test-api.ts';
import { makeMetrics } from './metrics.ts';

const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';

const cluster = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name },
  },
});

/** An API over a storage that counts its lists, and can be made to fail. */
const counted = () => {
  const storage = createMemoryStorage();
  const lists: string[] = [];
  const failures: Error[] = [];
  const world = createTestApi({
    ...storage,
    list: async (resource, options) => {
      const failure = failures.pop();
      if (failure) throw failure;
      lists.push(resource.plural);
      return storage.list(resource, options);
    },
  });
  return { ...world, lists, failures };
};

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

describe('/metrics', () => {
  it('shows the state of the objects in the text format of Prometheus', async () => {
    const { admin } = createTestApi();
    expect(await admin.ask('POST', CLUSTERS, cluster('one'))).toMatchObject({ code: 201 });
    const response = await admin.send('GET', '/metrics');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers.get('content-encoding')).toBeNull();
    const text = await response.text();
    expect(text).toContain('# TYPE capi_cluster_info gauge\n');
    expect(text).toMatch(/^capi_cluster_info\{.*,name="one",.*control_plane_endpoint_host="api\.example\.com".*\} 1$/m);
  });

  it.each([
    ['gzip', true],
    ['deflate, GZIP;q=0.5', true],
    ['*', true],
    ['gzip;q=0, identity', false],
    ['gzip;q=0.0, *', false],
    ['identity', false],
  ])('is compressed for a client that accepts %s: %s', async (accepted, compressed) => {
    const { admin } = createTestApi();
    const response = await admin.send('GET', '/metrics', undefined, { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(compressed ? 'gzip' : null);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect((compressed ? gunzipSync(bytes) : bytes).toString()).toContain('# HELP capi_machine_info ');
  });

  it('is refused to a client that does not accept gzip if Lambda cannot return it uncompressed', async () => {
    const list = async () => [];
    const metrics = makeMetrics({
      objects: { list },
      clock: testClock('2026-01-01T00:00:00Z'),
      log: silentLog,
      mostPlain: 1000,
    });
    const ask = (accepted: string) =>
      metrics(new Request('https://api.example.com/metrics', { headers: { 'accept-encoding': accepted } }));
    await expect(ask('identity')).rejects.toMatchObject({ code: 406, message: expect.stringContaining('gzip') });
    expect((await ask('gzip')).status).toBe(200);
  });

  it('requires permission to get its path, which the group system:monitoring has', async () => {
    const world = createTestApi();
    const refused = await world.user('Prometheus').ask('GET', '/metrics');
    expect([refused.code, refused.body.message]).toEqual([
      403,
      `forbidden: User "${ARN('Prometheus')}" cannot get path "/metrics"`,
    ]);
    // The permission to see all objects does not include their metrics: the paths are authorized separately.
    await world.admin.ask('POST', BINDINGS, clusterBinding('viewers', group('viewers'), 'view'));
    expect((await world.user('Viewer', ['viewers']).send('GET', '/metrics')).status).toBe(403);
    expect((await world.user('Prometheus', ['system:monitoring']).send('GET', '/metrics')).status).toBe(200);
  });

  it('is served to a principal with the role', async () => {
    const world = createTestApi();
    await world.admin.ask('POST', BINDINGS, clusterBinding('prometheus', user('Prometheus'), 'system:monitoring'));
    expect((await world.user('Prometheus').send('GET', '/metrics')).status).toBe(200);
  });

  it('is read-only, and no path below it is served', async () => {
    const { admin } = createTestApi();
    expect((await admin.ask('POST', '/metrics', {})).code).toBe(405);
    expect((await admin.send('GET', '/metrics/cadvisor')).status).toBe(404);
  });

  it('costs one list of each kind in 15 seconds, however many clients scrape it', async () => {
    const world = counted();
    await world.admin.ask('GET', CLUSTERS);
    world.lists.length = 0;
    await Promise.all([world.admin.send('GET', '/metrics'), world.admin.send('GET', '/metrics')]);
    world.wait(14_999);
    await world.admin.send('GET', '/metrics');
    const kinds = [
      'clusterclasses',
      'clusterresourcesets',
      'clusters',
      'kubeadmcontrolplanes',
      'machinedeployments',
      'machinehealthchecks',
      'machinepools',
      'machines',
      'machinesets',
    ];
    expect(world.lists.toSorted()).toEqual(kinds);
    world.wait(1);
    await world.admin.send('GET', '/metrics');
    expect(world.lists).toHaveLength(2 * kinds.length);
  });

  it('fails only while the table cannot be read', async () => {
    const world = counted();
    await world.admin.ask('GET', CLUSTERS);
    world.failures.push(new TransientError('the table is away'));
    expect((await world.admin.ask('GET', '/metrics')).code).toBe(503);
    expect((await world.admin.send('GET', '/metrics')).status).toBe(200);
  });
});
