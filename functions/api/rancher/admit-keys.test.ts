import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { ClusterRef } from '../../../shared/work/payloads.ts';
import { clusterBinding, clusterRole, createTestApi, RBAC, user } from '../test-api.ts';

const CLUSTERS = '/apis/clusterprovisioner.rke.io/v1alpha1/clusters';

const cluster = (...secrets: string[]) => ({
  apiVersion: 'clusterprovisioner.rke.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'demo' },
  spec: { config: `nodes: [${secrets.map((one) => `{ssh_key_path: ${one}}`).join(', ')}]` },
});

const secret = (name: string, type: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default' },
  type,
  stringData: { 'ssh-privatekey': 'x' },
});

const ADMIN_OF_CLUSTERS = { apiGroups: ['clusterprovisioner.rke.io'], resources: ['clusters'], verbs: ['*'] };

describe('a Cluster of Rancher’s group', () => {
  let api: ReturnType<typeof createTestApi>;
  let touched: ClusterRef[];
  beforeEach(async () => {
    touched = [];
    api = createTestApi(undefined, { touch: async (ref) => void touched.push(ref) });
    await api.admin.ask('POST', `${RBAC}/clusterroles`, clusterRole('rancher', ADMIN_OF_CLUSTERS));
    await api.admin.ask('POST', `${RBAC}/clusterrolebindings`, clusterBinding('m', user('Mallory'), 'rancher'));
  });

  it('is refused if it names a Secret that its author may not read', async () => {
    const refused = await api.user('Mallory').ask('POST', CLUSTERS, cluster('default/hosts-key'));
    expect([refused.code, refused.body.message]).toEqual([
      403,
      expect.stringContaining(
        'spec.config: ssh_key_path names the Secret default/hosts-key; to use it, you need the right to get it',
      ),
    ]);
    expect((await api.admin.ask('POST', CLUSTERS, cluster('default/hosts-key'))).code).toBe(201);
  });

  it('keeps its Secrets in a change by any user, but gets no others', async () => {
    await api.admin.ask('POST', CLUSTERS, cluster('default/hosts-key'));
    const change = (...secrets: string[]) =>
      api.user('Mallory').ask('PATCH', `${CLUSTERS}/demo`, { spec: cluster(...secrets).spec });
    expect((await change('default/hosts-key', 'default/hosts-key')).code).toBe(200);
    expect((await change('default/hosts-key', 'kube-system/other')).code).toBe(403);
  });

  it('is refused if no workflow serves hosts', async () => {
    const unserved = createTestApi(undefined, { servesHosts: false });
    const refused = await unserved.admin.ask('POST', CLUSTERS, cluster('default/hosts-key'));
    expect([refused.code, refused.body.message]).toEqual([
      403,
      expect.stringContaining('deploy it with -c hosts=true'),
    ]);
  });

  it('can still be deleted after hosts are no longer served', async () => {
    const storage = createMemoryStorage();
    const created = await createTestApi(storage).admin.ask('POST', CLUSTERS, cluster('default/hosts-key'));
    const { admin } = createTestApi(storage, { servesHosts: false });
    const deleted = await admin.ask('DELETE', `${CLUSTERS}/demo`);
    const left = await admin.ask('GET', `${CLUSTERS}/demo`);
    expect([created.code, deleted.code, left.code]).toEqual([201, 200, 404]);
  });

  it('gets a pass when it, or a Secret that it names, is written', async () => {
    const { body } = await api.admin.ask('POST', CLUSTERS, cluster('default/hosts-key'));
    const ref = { namespace: '', name: 'demo', uid: body.metadata.uid };
    expect(touched).toEqual([ref]);
    const secrets = '/api/v1/namespaces/default/secrets';
    await api.admin.ask('POST', secrets, secret('hosts-key', 'kubernetes.io/ssh-auth'));
    expect(touched).toEqual([ref, ref]);
    await api.admin.ask('POST', secrets, secret('other', 'kubernetes.io/ssh-auth'));
    await api.admin.ask('POST', secrets, secret('opaque', 'Opaque'));
    expect(touched).toEqual([ref, ref]);
  });
});
