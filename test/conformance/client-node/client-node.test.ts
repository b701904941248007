import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  KubernetesObjectApi,
  ListWatch,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ManagementApi, startManagementApi } from '../management-api.ts';
import { until } from '../quickstart/windlass.ts';
import { type Deployment, deployment, GROUP, INFRASTRUCTURE, type Template, template } from './objects.ts';

/** Tests the official JavaScript client, which this project depends on. Watches deliberately end after a second. */

const TEMPLATES = { group: INFRASTRUCTURE, version: 'v1beta2', namespace: 'default', plural: 'awsmachinetemplates' };
const DEPLOYMENTS = { group: GROUP, version: 'v1beta2', namespace: 'default', plural: 'machinedeployments' };
const PATH = `/apis/${INFRASTRUCTURE}/v1beta2/namespaces/default/awsmachinetemplates`;
const KEEP_EVENTS = 40;

let server: ManagementApi;
let config: KubeConfig;
let objects: KubernetesObjectApi;
let custom: CustomObjectsApi;
beforeAll(async () => {
  const watch = { pollMilliseconds: 50, maxSeconds: 1, keepAliveMilliseconds: 200 };
  server = await startManagementApi({ watch, keepEvents: KEEP_EVENTS });
  config = new KubeConfig();
  // Without this, the client would not connect to a server without a certificate.
  config.loadFromClusterAndUser({ name: 'test', server: server.url, skipTLSVerify: true }, { name: 'test' });
  objects = KubernetesObjectApi.makeApiClient(config);
  custom = config.makeApiClient(CustomObjectsApi);
});
afterAll(() => server?.stop());

/** The Status of a refused call. */
const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiException);
  const { code, body } = error as ApiException<string>;
  expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code });
  return JSON.parse(body);
};

/** The fields that identify a returned object. */
const headerOf = ({ apiVersion, kind, metadata }: Deployment) => ({
  apiVersion: String(apiVersion),
  kind: String(kind),
  metadata: { name: String(metadata?.name), namespace: 'default' },
});

describe('KubernetesObjectApi of client-node', () => {
  it('creates, reads, replaces, lists and deletes by kind', async () => {
    const created = await objects.create(deployment('kinds', 1));
    expect(created.metadata).toMatchObject({ generation: 1 });
    const replaced = await objects.replace({ ...created, spec: { ...created.spec, replicas: 2 } });
    expect(replaced.spec.replicas).toBe(2);
    expect(await refusal(objects.replace(created))).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await objects.read<Deployment>(headerOf(created))).spec.replicas).toBe(2);
    const { items } = await objects.list<Deployment>(`${GROUP}/v1beta2`, 'MachineDeployment', 'default');
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['kinds']);
    expect(await objects.delete(created)).toMatchObject({ status: 'Success' });
    expect(await refusal(objects.read(headerOf(created)))).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('patches in three ways, and gets an error for a strategic merge patch', async () => {
    const created = await objects.create(deployment('patched', 1));
    const patch = (body: object, strategy: PatchStrategy): Promise<Deployment> =>
      objects.patch(
        { ...headerOf(created), ...body } as Deployment,
        undefined,
        undefined,
        'suite',
        undefined,
        strategy,
      );
    expect((await patch({ spec: { replicas: 4 } }, PatchStrategy.MergePatch)).spec.replicas).toBe(4);
    expect(await refusal(patch({}, PatchStrategy.StrategicMergePatch))).toMatchObject({ code: 415 });
    const [name, options] = ['patched', setHeaderOptions('Content-Type', PatchStrategy.JsonPatch)];
    const body = [{ op: 'replace', path: '/spec/replicas', value: 5 }];
    expect(await custom.patchNamespacedCustomObject({ ...DEPLOYMENTS, name, body }, options)).toMatchObject({
      spec: { replicas: 5 },
    });
    await objects.delete(created);
  });

  it('applies on the server for two managers, and reports their conflict', async () => {
    const apply = (manager: string, replicas: number, force?: boolean): Promise<Deployment> =>
      objects.patch(
        deployment('applied', replicas),
        undefined,
        undefined,
        manager,
        force,
        PatchStrategy.ServerSideApply,
      );
    const first = await apply('one', 1);
    expect((await apply('one', 1)).metadata?.resourceVersion).toBe(first.metadata?.resourceVersion);
    const { details } = await refusal(apply('two', 2));
    expect(details.causes).toEqual([
      expect.objectContaining({ reason: 'FieldManagerConflict', field: '.spec.replicas' }),
    ]);
    expect((await apply('two', 2, true)).metadata?.managedFields).toHaveLength(2);
    await objects.delete(first);
  });
});

describe('CustomObjectsApi and CoreV1Api of client-node', () => {
  it('creates objects, and gets 409 and 422 with their causes', async () => {
    const body = deployment('wrong', 1);
    body.spec.clusterName = '';
    const { reason, details } = await refusal(custom.createNamespacedCustomObject({ ...DEPLOYMENTS, body }));
    expect(reason).toBe('Invalid');
    expect(details.causes.map(({ field }: { field: string }) => field)).toContain('spec.clusterName');
    await custom.createNamespacedCustomObject({ ...DEPLOYMENTS, body: deployment('scaled', 1) });
    const twice = custom.createNamespacedCustomObject({ ...DEPLOYMENTS, body: deployment('scaled', 1) });
    expect(await refusal(twice)).toMatchObject({ code: 409, reason: 'AlreadyExists' });
  });

  it('scales by the subresource, and patches the status', async () => {
    const of = { ...DEPLOYMENTS, name: 'scaled' };
    const scale = await custom.getNamespacedCustomObjectScale(of);
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
    scale.spec.replicas = 3;
    expect(await custom.replaceNamespacedCustomObjectScale({ ...of, body: scale })).toMatchObject({
      spec: { replicas: 3 },
    });
    expect(await refusal(custom.replaceNamespacedCustomObjectScale({ ...of, body: scale }))).toMatchObject({
      code: 409,
    });
    const options = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
    const body = { spec: { replicas: 9 }, status: { replicas: 3 } };
    const reported = await custom.patchNamespacedCustomObjectStatus({ ...of, body }, options);
    expect(reported).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 3 } });
  });

  it('pages through lists, and selects by labels', async () => {
    const core = config.makeApiClient(CoreV1Api);
    for (const name of ['a', 'b', 'c'])
      await core.createNamespacedConfigMap({
        namespace: 'default',
        body: { metadata: { name, labels: { page: 'yes' } } },
      });
    const list = (_continue?: string) =>
      core.listNamespacedConfigMap({ namespace: 'default', labelSelector: 'page in (yes)', limit: 2, _continue });
    const first = await list();
    expect(first.items.map(({ metadata }) => metadata?.name)).toEqual(['a', 'b']);
    expect((await list(first.metadata?._continue)).items.map(({ metadata }) => metadata?.name)).toEqual(['c']);
    await core.deleteCollectionNamespacedConfigMap({ namespace: 'default', labelSelector: 'page' });
    expect((await list()).items).toEqual([]);
  });
});

describe('watches of client-node', () => {
  const list = async (labelSelector: string): Promise<KubernetesListObject<Template>> =>
    custom.listNamespacedCustomObject({ ...TEMPLATES, labelSelector });
  const watches = () => server.requests.filter((request) => request.includes('watch=true')).length;

  it('follow with an informer, which resumes its watch', async () => {
    await objects.create(template('first', 'informer'));
    const seen: string[] = [];
    const informer = makeInformer<Template>(config, PATH, () => list('suite=informer'), 'suite=informer');
    for (const verb of ['add', 'update', 'delete'] as const)
      informer.on(verb, ({ metadata }) => void seen.push(`${verb} ${metadata?.name}`));
    const before = watches();
    await informer.start();
    for (const name of ['second', 'third']) {
      const created = await objects.create(template(name, 'informer'));
      // Waits until a new watch is open, so that it delivers the next event.
      const sofar = watches();
      await until('the watch is taken up again', () => watches() > sofar);
      await objects.delete(created);
    }
    await until('the informer has seen all', () => seen.length === 5);
    await informer.stop();
    expect(seen).toEqual(['add first', 'add second', 'delete second', 'add third', 'delete third']);
    expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['first']);
    expect(watches() - before).toBeGreaterThan(2);
  });

  it('start again with a list if the server has dropped their version', async () => {
    const created = await objects.create(template('gone', 'gone'));
    let lists = 0;
    let away: (() => void) | undefined;
    const listed = () => {
      lists += 1;
      return list('suite=gone');
    };
    const delayFn = () => new Promise<void>((resolve) => (away = resolve));
    const informer = new ListWatch<Template>(PATH, new Watch(config), listed, false, 'suite=gone', undefined, {
      delayFn,
    });
    await informer.start();
    await until('the informer has hung up', () => away !== undefined);
    let newest = created;
    for (let turn = 0; turn <= KEEP_EVENTS; turn += 1) {
      const metadata = { ...newest.metadata, annotations: { turn: String(turn) } };
      newest = await objects.replace({ ...newest, metadata });
    }
    const goOn = setInterval(() => away?.(), 50);
    const known = () => informer.get('gone', 'default')?.metadata?.resourceVersion;
    await until('the informer is in step', () => known() === newest.metadata?.resourceVersion);
    clearInterval(goOn);
    await informer.stop();
    expect(lists).toBe(2);
  });

  it('end at once when they are aborted', async () => {
    const events: string[] = [];
    const ended = Promise.withResolvers<unknown>();
    const { metadata } = await list('suite=abort');
    const query = { resourceVersion: metadata?.resourceVersion, labelSelector: 'suite=abort' };
    const controller = await new Watch(config).watch(PATH, query, (type) => events.push(type), ended.resolve);
    await objects.create(template('aborted', 'abort'));
    await until('the event is there', () => events.length > 0);
    controller.abort();
    expect(await ended.promise).toMatchObject({ name: 'AbortError' });
    expect(events).toEqual(['ADDED']);
  });
});
