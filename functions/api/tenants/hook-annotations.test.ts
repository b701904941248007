import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { binding, createTestApi, RBAC, user } from '../test-api.ts';

const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';
const NAMES = [
  'runtime.cluster.x-k8s.io/pending-hooks',
  'runtime.cluster.x-k8s.io/ok-to-delete',
  'windlass.dev/blocked-hooks',
];

describe('an annotation that records the hooks of a cluster', () => {
  let api: ReturnType<typeof createTestApi>;

  const clusterWith = (annotations: object = {}) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default', annotations },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'red' } },
  });

  beforeEach(async () => {
    api = createTestApi(createMemoryStorage());
    for (const [name, role] of [
      ['Mallory', 'edit'],
      ['NamespaceAdmin', 'admin'],
    ] as const) {
      const body = binding(name.toLowerCase(), user(name), role);
      await api.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, body);
    }
  });

  it.each(NAMES)('cannot be written by an editor: %s', async (name) => {
    const editor = api.user('Mallory');
    expect(await editor.ask('POST', CLUSTERS, clusterWith({ [name]: 'BeforeClusterDelete' }))).toMatchObject({
      code: 403,
      body: { message: expect.stringContaining(`metadata.annotations[${name}]`) },
    });
    expect((await editor.ask('POST', CLUSTERS, clusterWith())).code).toBe(201);
    const patch = { metadata: { annotations: { [name]: '' } } };
    expect((await editor.ask('PATCH', `${CLUSTERS}/red`, patch)).code).toBe(403);
  });

  it('can be written by an administrator who moves a cluster', async () => {
    const annotations = { [NAMES[0] as string]: 'AfterClusterUpgrade' };
    expect((await api.user('NamespaceAdmin').ask('POST', CLUSTERS, clusterWith(annotations))).code).toBe(201);
  });
});
