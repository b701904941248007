/** Which namespaces can be deleted, and what happens to their objects. */
import { beforeEach, expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { silentLog } from '../../../shared/log.ts';
import { createMemoryPledges } from '../../../shared/store/work/memory-pledges.ts';
import { createTestApi } from '../test-api.ts';

const NAMESPACES = '/api/v1/namespaces';
const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/team/clusters';
const cluster = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'red' },
  spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
};
const map = (name: string, finalizers: string[] = []) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, finalizers },
});

let api: ReturnType<typeof createTestApi>;
beforeEach(async () => {
  api = createTestApi();
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
  expect((await api.admin.ask('POST', NAMESPACES, team)).code).toBe(201);
});

it('keeps a namespace with all of its contents while it contains a Cluster', async () => {
  expect((await api.admin.ask('POST', CLUSTERS, cluster)).code).toBe(201);
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('one'));
  const refused = await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect(refused.code).toBe(409);
  expect(refused.body.message).toContain('delete them first: clusters.cluster.x-k8s.io');
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/configmaps/one`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.status).toEqual({ phase: 'Active' });
});

/** An API whose namespace `team` is deleted while a Cluster is stored in it. */
const startRace = async (more: Parameters<typeof createTestApi>[1]) => {
  const storage = createMemoryStorage();
  api = createTestApi(storage, more);
  await api.admin.ask('POST', NAMESPACES, team([]));
  const put = storage.create;
  storage.create = async (...given) => {
    if (given[1].kind === 'Cluster') await api.admin.ask('DELETE', `${NAMESPACES}/team`);
    return put(...given);
  };
  return storage;
};

it('starts no pass for a Cluster whose namespace is deleted while it is created, and does not keep it', async () => {
  const clock = { now: () => new Date('2026-01-02T03:04:05Z'), sleep: async () => {} };
  const pledges = createMemoryPledges({ clock });
  const touch = vi.fn(async () => {});
  await startRace({ clock, pledges, touch });
  const refused = await api.admin.ask('POST', CLUSTERS, cluster);
  expect(refused).toMatchObject({ code: 404, body: { message: 'namespaces "team" not found' } });
  expect((await api.admin.ask('GET', `${CLUSTERS}/red`)).code).toBe(404);
  expect(touch).not.toHaveBeenCalled();
  expect(await pledges.open(new Date('2026-01-03T00:00:00Z'))).toEqual([]);
});

it('names a Cluster that was created in a deleted namespace and cannot be removed, and logs why', async () => {
  const error = vi.fn();
  const storage = await startRace({ log: { ...silentLog, error } });
  const remove = storage.remove;
  storage.remove = async (resource, object) => {
    if (object.kind === 'Cluster') throw new Error('the table is on fire');
    return remove(resource, object);
  };
  const failed = await api.admin.ask('POST', CLUSTERS, cluster);
  expect(failed).toMatchObject({ code: 500, body: { message: expect.stringContaining('"red" was created while') } });
  expect(error).toHaveBeenCalledWith('Request failed', expect.objectContaining({ reason: 'the table is on fire' }));
});

it('deletes a namespace with its contents, and refuses new objects meanwhile', async () => {
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('free'));
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('held', ['example.com/a']));
  const { code, body } = await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect({ code, phase: body.status.phase }).toEqual({ code: 200, phase: 'Terminating' });
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/configmaps/free`)).code).toBe(404);
  const late = await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('late'));
  expect(late).toMatchObject({ code: 403, body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } });

  await api.admin.ask('PATCH', `${NAMESPACES}/team/configmaps/held`, { metadata: { finalizers: null } });
  expect((await api.admin.ask('DELETE', `${NAMESPACES}/team`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).code).toBe(404);
});

it('changes nothing in a dry run of the deletion of a namespace', async () => {
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('one'));
  expect((await api.admin.ask('DELETE', `${NAMESPACES}/team?dryRun=All`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/configmaps/one`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.metadata.deletionTimestamp).toBeUndefined();
});

const team = (finalizers: string[]) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'team' },
  spec: { finalizers },
});

it('lets /finalize set the finalizers of the spec, except the one that protects the contents', async () => {
  const set = await api.admin.ask('PUT', `${NAMESPACES}/team/finalize`, team(['example.com/a']));
  expect(set).toMatchObject({ code: 200, body: { spec: { finalizers: ['example.com/a', 'kubernetes'] } } });
  expect(set.body.metadata.managedFields).toContainEqual(expect.objectContaining({ subresource: 'finalize' }));
  const kept = await api.admin.ask('PUT', `${NAMESPACES}/team`, team([]));
  expect(kept.body.spec).toEqual({ finalizers: ['example.com/a', 'kubernetes'] });
  const cleared = await api.admin.ask('PUT', `${NAMESPACES}/team/finalize`, team([]));
  expect(cleared.body.spec).toEqual({ finalizers: ['kubernetes'] });
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/finalize`)).code).toBe(405);
});

it('keeps an empty namespace until the finalizers of its spec are gone', async () => {
  await api.admin.ask('PUT', `${NAMESPACES}/team/finalize`, team(['example.com/a']));
  await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.status.phase).toBe('Terminating');
  expect((await api.admin.ask('PUT', `${NAMESPACES}/team/finalize`, team([]))).code).toBe(200);
  await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).code).toBe(404);
});

it('does not remove a namespace that has contents, even after a write to /finalize', async () => {
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('held', ['example.com/a']));
  await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect((await api.admin.ask('PUT', `${NAMESPACES}/team/finalize`, team([]))).body.spec.finalizers).toEqual([
    'kubernetes',
  ]);
  await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/configmaps/held`)).code).toBe(200);
});

it('keeps a namespace that has contents, whatever is written to it during its deletion', async () => {
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('held', ['example.com/a']));
  await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  const going = { ...team([]), status: { phase: 'Terminating' } };
  for (const path of ['/finalize', '/status', '', '?dryRun=All']) {
    const written = await api.admin.ask('PUT', `${NAMESPACES}/team${path}`, going);
    expect(written).toMatchObject({ code: 200, body: { status: { phase: 'Terminating' } } });
    expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.status?.phase).toBe('Terminating');
  }
});

it.each(['Foreground', 'Orphan', 'Background'])(
  'deletes the contents of a namespace before the namespace with policy %s',
  async (policy) => {
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: policy };
    await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('held', ['example.com/a']));
    expect((await api.admin.ask('DELETE', `${NAMESPACES}/team`, options)).code).toBe(200);
    expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.status?.phase).toBe('Terminating');

    await api.admin.ask('PATCH', `${NAMESPACES}/team/configmaps/held`, { metadata: { finalizers: null } });
    expect((await api.admin.ask('DELETE', `${NAMESPACES}/team`, options)).code).toBe(200);
    expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).code).toBe(404);
  },
);
