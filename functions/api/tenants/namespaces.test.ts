/** Which namespaces can be deleted, and what happens to their objects. */
import { beforeEach, expect, it } from 'vitest';
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

it('keeps a namespace while a Cluster is in it, with everything else', async () => {
  expect((await api.admin.ask('POST', CLUSTERS, cluster)).code).toBe(201);
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('one'));
  const refused = await api.admin.ask('DELETE', `${NAMESPACES}/team`);
  expect(refused.code).toBe(409);
  expect(refused.body.message).toContain('delete them first: clusters.cluster.x-k8s.io');
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/configmaps/one`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.status).toEqual({ phase: 'Active' });
});

it('deletes a namespace with what is in it, and takes nothing new meanwhile', async () => {
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

it('tries the deletion of a namespace out without touching anything', async () => {
  await api.admin.ask('POST', `${NAMESPACES}/team/configmaps`, map('one'));
  expect((await api.admin.ask('DELETE', `${NAMESPACES}/team?dryRun=All`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team/configmaps/one`)).code).toBe(200);
  expect((await api.admin.ask('GET', `${NAMESPACES}/team`)).body.metadata.deletionTimestamp).toBeUndefined();
});
