import { ApiException, CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ARN, binding, clusterRole, createTestApi, RBAC, user } from '../../functions/api/test-api.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { type Listening, listen } from '../conformance/listen.ts';
import { inventory, NOTHING } from './inventory.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

/**
 * A controller of another system, with an ordinary client and only the permissions that an administrator grants it. The
 * steps of the cluster read what it has written.
 */

const CONTROLLER = 'Crossplane';
const AWS_CLUSTER = {
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta2',
  plural: 'awsclusters',
  namespace: KEY.namespace,
  name: KEY.name,
};
const MERGE = setHeaderOptions('content-type', PatchStrategy.MergePatch);

const rule = (verbs: string[], ...resources: string[]) => ({ apiGroups: [AWS_CLUSTER.group], resources, verbs });
const READS = rule(['get', 'list', 'watch'], 'awsclusters');
const WRITES_STATUS = rule(['get', 'update', 'patch'], 'awsclusters/status');
/** Controllers rely on statuses, so this permission is needed to write one (docs/annotations.md). */
const ADOPTS = rule(['adopt'], 'awsclusters');
const WRITES_OBJECT = rule(['update', 'patch'], 'awsclusters');

let world: World;
let server: Listening;
let client: CustomObjectsApi;
let grant: (...rules: object[]) => Promise<void>;

beforeEach(async () => {
  world = await startWorld();
  await world.objects.mutate(kinds.awsCluster, KEY, ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { 'cluster.x-k8s.io/managed-by': 'crossplane' } },
  }));
  const { admin, another } = createTestApi(world.storage);
  grant = async (...rules) => {
    const roles = `${RBAC}/clusterroles`;
    expect((await admin.ask('POST', roles, clusterRole('crossplane', ...rules))).code).toBe(201);
    const bindings = `${RBAC}/namespaces/${KEY.namespace}/rolebindings`;
    expect((await admin.ask('POST', bindings, binding('crossplane', user(CONTROLLER), 'crossplane'))).code).toBe(201);
  };
  const api = another();
  const who = { name: ARN(CONTROLLER), groups: ['system:authenticated'] };
  server = await listen((request) => api(request, who));
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'management', server: server.url, skipTLSVerify: true },
    { name: 'crossplane' },
  );
  client = config.makeApiClient(CustomObjectsApi);
});
afterEach(async () => {
  await server.stop();
  await world.close();
});

const codeOf = async (request: Promise<unknown>): Promise<number> => {
  try {
    await request;
    return 200;
  } catch (error) {
    if (error instanceof ApiException) return error.code;
    throw error;
  }
};

const patchSpec = (body: object) => client.patchNamespacedCustomObject({ ...AWS_CLUSTER, body }, MERGE);
const patchStatus = (body: object) => client.patchNamespacedCustomObjectStatus({ ...AWS_CLUSTER, body }, MERGE);

const ENDPOINT = { host: 'api.example.com', port: 6443 };
const READY = {
  ready: true,
  failureDomains: { 'us-east-1a': { controlPlane: true } },
  conditions: [{ type: 'Ready', status: 'True', reason: 'Provisioned', lastTransitionTime: '2026-11-20T12:00:00Z' }],
};

describe('a controller of another system', () => {
  it('lets the cluster continue by writing an endpoint and a status', async () => {
    await grant(READS, WRITES_OBJECT, WRITES_STATUS, ADOPTS);
    expect(await create(world)).toBe(false);

    await patchSpec({ spec: { controlPlaneEndpoint: ENDPOINT } });
    await patchStatus({ status: READY });
    const written = await world.awsCluster();

    expect(written).toMatchObject({ spec: { controlPlaneEndpoint: ENDPOINT }, status: READY });
    expect(await create(world)).toBe(true);
    expect(await inventory(world)).toEqual(NOTHING);
    expect(await world.awsCluster()).toEqual(written);
  });

  it('replaces only the status, and gets a conflict if its version is old', async () => {
    await grant(READS, WRITES_STATUS, ADOPTS);
    const read = (await client.getNamespacedCustomObject(AWS_CLUSTER)) as { spec: object; metadata: object };
    const body = { ...read, spec: { ...read.spec, region: 'eu-west-1' }, status: READY };

    await client.replaceNamespacedCustomObjectStatus({ ...AWS_CLUSTER, body });

    const { spec, status } = await world.awsCluster();
    expect(status).toMatchObject(READY);
    expect(spec.region).toBe('us-east-1');
    expect(await codeOf(client.replaceNamespacedCustomObjectStatus({ ...AWS_CLUSTER, body }))).toBe(409);
  });

  it('writes only what the administrator allows', async () => {
    await grant(READS, WRITES_STATUS, ADOPTS);

    expect(await codeOf(patchSpec({ spec: { controlPlaneEndpoint: ENDPOINT } }))).toBe(403);
    expect(await codeOf(client.deleteNamespacedCustomObject(AWS_CLUSTER))).toBe(403);
    expect(await codeOf(patchStatus({ status: { ready: 'yes' } }))).toBe(422);
    expect((await world.awsCluster()).status?.ready).not.toBe(true);
  });

  it('reads and writes nothing without permissions', async () => {
    expect(await codeOf(client.getNamespacedCustomObject(AWS_CLUSTER))).toBe(403);
    expect(await codeOf(patchStatus({ status: READY }))).toBe(403);
  });

  it('needs the verb adopt, which the refusal names', async () => {
    await grant(READS, WRITES_OBJECT, WRITES_STATUS);

    await expect(patchStatus({ status: READY })).rejects.toMatchObject({
      code: 403,
      body: expect.stringContaining('needs the verb'),
    });
    expect((await world.awsCluster()).status?.ready).not.toBe(true);
  });
});
