import { expect, it } from 'vitest';
import { classWith } from '../../../shared/kinds/cluster-class/test-class.ts';
import { createTestApi } from '../test-api.ts';

const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters';

/** Its class does not exist. */
const managed = (cidr: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'managed', namespace: 'default', finalizers: ['team.example.com/keep'] },
  spec: {
    clusterNetwork: { pods: { cidrBlocks: [cidr] } },
    topology: { classRef: { name: 'absent' }, version: 'v1.34.0' },
  },
});

it('a Cluster without its class is refused with the warning that it was not fully validated', async () => {
  const { admin } = createTestApi();
  const response = await admin.send('POST', CLUSTERS, managed('pods'));
  expect(response.status).toBe(422);
  expect(response.headers.get('warning')).toContain('this ClusterClass does not exist');
});

it('a Cluster can be changed without its class while it is deleted, and only then', async () => {
  const { admin } = createTestApi();
  expect((await admin.ask('POST', CLUSTERS, managed('10.0.0.0/16'))).code).toBe(201);
  const change = (metadata: object) => admin.ask('PATCH', `${CLUSTERS}/managed`, { metadata });
  expect((await change({ labels: { a: 'b' } })).code).toBe(422);
  await admin.ask('DELETE', `${CLUSTERS}/managed`);
  expect((await change({ labels: { a: 'b' } })).code).toBe(200);
  expect((await change({ finalizers: null })).code).toBe(200);
  expect((await admin.ask('GET', `${CLUSTERS}/managed`)).code).toBe(404);
});

it('a Cluster keeps unknown variables while those of its class are not discovered', async () => {
  const { admin } = createTestApi();
  const external = { generatePatchesExtension: 'a.b', discoverVariablesExtension: 'c.b' };
  const clusterClass = { ...classWith({ patches: [{ name: 'one', external }] }), metadata: { name: 'absent' } };
  expect((await admin.ask('POST', CLUSTERS.replace('/clusters', '/clusterclasses'), clusterClass)).code).toBe(201);
  const cluster = managed('10.0.0.0/16');
  const variables = [{ name: 'unknown', value: 1 }];
  const topology = { ...cluster.spec.topology, variables };
  const response = await admin.send('POST', CLUSTERS, { ...cluster, spec: { ...cluster.spec, topology } });
  expect(response.headers.get('warning')).toContain("hasn't been successfully reconciled");
  expect(response.status).toBe(201);
});
