import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createTestApi } from '../test-api.ts';

const CORE = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default';
const CLASS = `${CORE}/clusterclasses/aws-small`;
const PAUSED = 'cluster.x-k8s.io/paused';

let touched: string[];
let admin: ReturnType<typeof createTestApi>['admin'];

const pause = (value: string | null) => admin.ask('PATCH', CLASS, { metadata: { annotations: { [PAUSED]: value } } });
const setVersions = (kubernetesVersions: string[]) => admin.ask('PATCH', CLASS, { spec: { kubernetesVersions } });

beforeEach(async () => {
  touched = [];
  ({ admin } = createTestApi(createMemoryStorage(), { touch: async ({ name }) => void touched.push(name) }));
  const documents = parseAllDocuments(readFileSync('examples/clusterclass.yaml', 'utf8')).map((one) => one.toJS());
  for (const kind of ['ClusterClass', 'Cluster']) {
    const object = documents.find((one) => one.kind === kind);
    const { code } = await admin.ask('POST', `${CORE}/${kind === 'Cluster' ? 'clusters' : 'clusterclasses'}`, object);
    expect(code).toBe(201);
  }
  touched = [];
});

it('the clusters of a class get a pass when the pause of the class ends, and not when it starts', async () => {
  await pause('');
  expect(touched).toEqual([]);

  await pause(null);

  expect(touched).toEqual(['managed']);
});

it('a Cluster is not validated by the variables of a class that was changed while it was paused', async () => {
  const write = (value: unknown) => {
    const variables = [{ name: 'zones', value }];
    return admin.send('PATCH', `${CORE}/clusters/managed`, { spec: { topology: { variables } } });
  };
  await pause('');
  expect((await write('three')).status).toBe(422);

  await setVersions(['v1.34.0', 'v1.35.0']);
  const response = await write('three');

  expect(response.status).toBe(200);
  expect(response.headers.get('warning')).toContain(
    "ClusterClass default/aws-small, but this ClusterClass hasn't been successfully reconciled",
  );
});
