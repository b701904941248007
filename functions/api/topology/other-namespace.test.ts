/** A Cluster of one tenant with the ClusterClass of another. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { binding, createTestApi, RBAC, user as userOf } from '../test-api.ts';

const CLUSTERS = '/apis/cluster.x-k8s.io/v1beta2/namespaces/blue/clusters';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const REFUSAL =
  'clusters.cluster.x-k8s.io "managed" is forbidden: spec.topology.classRef: the ClusterClass is in namespace "default"; to use it, you need the right to get it there';

const EXAMPLE: KubeObject[] = parseAllDocuments(readFileSync('examples/clusterclass.yaml', 'utf8')).map((one) =>
  one.toJS(),
);

interface Topology {
  classRef: { name: string; namespace?: string };
  variables?: unknown;
}

/** The Cluster of the example, named `managed`, with another topology. */
const clusterWith = (change: (topology: Topology) => void): KubeObject => {
  const cluster = structuredClone(EXAMPLE.find(({ kind }) => kind === 'Cluster')) as KubeObject & {
    spec: { topology: Topology };
  };
  change(cluster.spec.topology);
  return { ...cluster, metadata: { name: 'managed' } } as KubeObject;
};
const WITH_CLASS = clusterWith((topology) => {
  topology.classRef.namespace = 'default';
});
/** The class would refuse it, and quote the name of a variable. */
const INVALID = clusterWith((topology) => {
  topology.classRef.namespace = 'default';
  delete topology.variables;
});
const INVALID_TOPOLOGY = (INVALID as KubeObject & { spec: { topology: Topology } }).spec.topology;

let api: ReturnType<typeof createTestApi>;
const bind = (namespace: string, role: string) =>
  api.admin.ask(
    'POST',
    `${RBAC}/namespaces/${namespace}/rolebindings`,
    binding(`tenant-${role}`, userOf('tenant'), role),
  );
const ask: ReturnType<typeof api.user>['ask'] = (...request) => api.user('tenant').ask(...request);

beforeEach(async () => {
  api = createTestApi();
  await api.admin.ask('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'blue' },
  });
  for (const object of EXAMPLE.filter(({ kind }) => kind !== 'Cluster')) {
    const found = KINDS.find(({ kind }) => kind === object.kind);
    const path = `/apis/${object.apiVersion}/namespaces/default/${found?.plural}`;
    expect((await api.admin.ask('POST', path, object)).code).toBe(201);
  }
  await bind('blue', 'edit');
});

it.each(['', '?dryRun=All'])('is refused unless the user may read the class%s', async (query) => {
  expect(await ask('POST', `${CLUSTERS}${query}`, WITH_CLASS)).toMatchObject({ code: 403, body: { message: REFUSAL } });
  await bind('default', 'view');
  expect((await ask('POST', `${CLUSTERS}${query}`, WITH_CLASS)).code).toBe(201);
});

it('is refused before the class is read, with every way to write it', async () => {
  const own = clusterWith((topology) => {
    delete topology.variables;
  });
  const { resourceVersion } = (await ask('POST', CLUSTERS, own)).body.metadata;
  const replaced = { ...INVALID, metadata: { name: 'managed', resourceVersion } };
  const answers = [
    await ask('POST', CLUSTERS, INVALID),
    await ask('PUT', `${CLUSTERS}/managed`, replaced),
    await ask('PATCH', `${CLUSTERS}/managed`, INVALID),
    await ask('PATCH', `${CLUSTERS}/managed?fieldManager=me&force=true`, INVALID, APPLY),
    await ask('PATCH', `${CLUSTERS}/new?fieldManager=me`, { ...INVALID, metadata: { name: 'new' } }, APPLY),
  ];
  expect(answers.map(({ code, body }) => [code, body.message.replace('"new"', '"managed"')])).toEqual(
    answers.map(() => [403, REFUSAL]),
  );
});

it('is refused in the older version as well, in which the class has another field', async () => {
  const { classRef, ...topology } = INVALID_TOPOLOGY;
  const spec = { topology: { ...topology, class: classRef.name, classNamespace: 'default' } };
  const older = { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', metadata: { name: 'managed' }, spec };
  expect(await ask('POST', CLUSTERS.replace('v1beta2', 'v1beta1'), older)).toMatchObject({
    code: 403,
    body: { message: REFUSAL },
  });
});
