import { describe, expect, it } from 'vitest';
import type { ResourceId } from '../../../shared/kube-api/object.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { binding, clusterRole, createTestApi, RBAC, user } from '../test-api.ts';
import { CRDS, definition, version, WIDGETS, widget } from './test-widgets.ts';

/** A storage that counts its calls. */
const counting = (storage: Storage) => {
  const asked: string[] = [];
  const note = (what: string, { plural }: ResourceId) => asked.push(`${what} ${plural}`);
  const counted: Storage = {
    ...storage,
    get: (resource, ...rest) => {
      note('get', resource);
      return storage.get(resource, ...rest);
    },
    list: (resource, options) => {
      note('list', resource);
      return storage.list(resource, options);
    },
    latestVersion: (resource) => {
      note('latest', resource);
      return storage.latestVersion(resource);
    },
  };
  return { storage: counted, asked };
};

describe('a CustomResourceDefinition', () => {
  it('is established, and served by all processes, as soon as its creation is answered', async () => {
    const { admin, user: other, another } = createTestApi();
    const elsewhere = other('WindlassAdmin', ['system:masters'], another());
    await elsewhere.ask('GET', '/apis');

    const created = await admin.ask('POST', CRDS, definition());
    const answer = await elsewhere.ask('POST', WIDGETS, widget('a'));

    expect(
      created.body.status.conditions.map((one: { type: string; status: string }) => [one.type, one.status]),
    ).toEqual([
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ]);
    expect(created.body.status.acceptedNames).toEqual({
      plural: 'widgets',
      kind: 'Widget',
      singular: 'widget',
      listKind: 'WidgetList',
    });
    expect([answer.code, answer.body.spec]).toEqual([201, { color: 'red', size: 3 }]);
  });

  it('is replaced only by a body with a resourceVersion', async () => {
    const { admin } = createTestApi();
    const { body: created } = await admin.ask('POST', CRDS, definition());
    const path = `${CRDS}/widgets.example.com`;

    const refused = await admin.ask('PUT', path, definition());
    const replaced = await admin.ask('PUT', path, { ...definition(), metadata: created.metadata });

    expect([refused.code, refused.body.details.causes[0].field]).toEqual([422, 'metadata.resourceVersion']);
    expect(replaced.code).toBe(200);
  });

  it('keeps a version that has stored objects in its status, so that it cannot be removed', async () => {
    const { admin } = createTestApi();
    const path = `${CRDS}/widgets.example.com`;
    const [v1, v2] = [version('v1'), version('v2')];
    await admin.ask(
      'POST',
      CRDS,
      definition('widgets', 'Widget', {}, [
        { ...v1, storage: false },
        { ...v2, storage: true },
      ]),
    );

    const emptied = await admin.ask('PATCH', `${path}/status`, { status: { storedVersions: [] } });
    const removed = await admin.ask('PATCH', path, { spec: { versions: [v1] } });
    const cleared = await admin.ask('PATCH', `${path}/status`, { status: null });

    expect(emptied.body.status.storedVersions).toEqual(['v2']);
    expect([removed.code, removed.body.details.causes[0].field]).toEqual([422, 'status.storedVersions[0]']);
    expect(cleared.body.status.storedVersions).toEqual(['v2']);
  });

  it('can be created by users with a cluster-wide right, but not by the editor of a namespace', async () => {
    const { admin, user: as } = createTestApi();
    await admin.ask(
      'POST',
      `${RBAC}/clusterroles`,
      clusterRole('all', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }),
    );
    await admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, binding('eve', user('Eve'), 'all'));
    const eve = as('Eve');

    const refused = await eve.ask('POST', CRDS, definition());
    await admin.ask('POST', CRDS, definition());

    expect(refused.code).toBe(403);
    expect((await eve.ask('DELETE', `${CRDS}/widgets.example.com`)).code).toBe(403);
    expect((await eve.ask('POST', WIDGETS, widget('a'))).code).toBe(201);
  });

  it('gets names that another kind uses only when they are free', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition('widgets', 'Widget', { shortNames: ['wd'] }));

    const rival = await admin.ask('POST', CRDS, definition('things', 'Widget', { shortNames: ['wd'] }));
    await admin.ask('DELETE', `${CRDS}/widgets.example.com`);
    const later = await admin.ask('GET', `${CRDS}/things.example.com`);

    expect(rival.body.status.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'False', reason: 'ListKindConflict', message: '"WidgetList" is already in use' },
      { type: 'Established', status: 'False', reason: 'NotAccepted' },
    ]);
    expect(later.body.status.conditions).toMatchObject([{ status: 'True' }, { status: 'True' }]);
  });

  it('cannot take the names of built-in kinds, whose definitions cannot be changed', async () => {
    const { admin } = createTestApi();
    const own = `${CRDS}/clusters.cluster.x-k8s.io`;

    const patched = await admin.ask('PATCH', own, { metadata: { labels: { a: 'b' } } });
    const deleted = await admin.ask('DELETE', own);
    const inGroup = definition('things', 'Cluster');
    const rival = await admin.ask('POST', CRDS, {
      ...inGroup,
      metadata: { name: 'things.cluster.x-k8s.io' },
      spec: { ...inGroup.spec, group: 'cluster.x-k8s.io' },
    });

    expect([patched.code, deleted.code]).toEqual([403, 403]);
    expect(patched.body.message).toContain('it is part of this server and can only be read');
    expect(rival.body.status.conditions[0]).toMatchObject({
      reason: 'ListKindConflict',
      message: '"ClusterList" is already in use',
    });
  });

  it('deletes objects that are listed after many with finalizers', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition());
    const hold = { finalizers: ['example.com/hold'] };
    for (let index = 100; index <= 200; index += 1)
      await admin.ask('POST', WIDGETS, widget(`held-${index}`, { color: 'red' }, hold));
    await admin.ask('POST', WIDGETS, widget('later'));
    await admin.ask('DELETE', `${CRDS}/widgets.example.com`);
    expect((await admin.ask('GET', `${WIDGETS}/later`)).code).toBe(200);
    await admin.ask('PATCH', `${WIDGETS}/held-100`, { metadata: { finalizers: null } });
    expect((await admin.ask('GET', `${WIDGETS}/later`)).code).toBe(404);
    expect((await admin.ask('GET', `${WIDGETS}/held-200`)).body.metadata.deletionTimestamp).toBeDefined();
  });

  it('deletes its objects, and is removed with the last of them', async () => {
    const { admin } = createTestApi();
    await admin.ask('POST', CRDS, definition());
    await admin.ask('POST', WIDGETS, widget('free'));
    await admin.ask('POST', WIDGETS, widget('held', { color: 'red' }, { finalizers: ['example.com/hold'] }));

    await admin.ask('DELETE', `${CRDS}/widgets.example.com`);
    const { body: left } = await admin.ask('GET', WIDGETS);
    const refused = await admin.ask('POST', WIDGETS, widget('new'));
    await admin.ask('PATCH', `${WIDGETS}/held`, { metadata: { finalizers: null } });

    expect(left.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['held']);
    expect([refused.code, refused.body.message]).toEqual([
      405,
      'create not allowed while custom resource definition is terminating',
    ]);
    expect((await admin.ask('GET', `${CRDS}/widgets.example.com`)).code).toBe(404);
  });

  it('costs requests for other kinds nothing', async () => {
    const { storage, asked } = counting(createMemoryStorage());
    const { admin } = createTestApi(storage);
    const path = '/api/v1/namespaces/default/configmaps';
    const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const during = async (work: () => Promise<unknown>): Promise<string[]> => {
      const before = asked.length;
      await work();
      return asked.slice(before);
    };
    const play = async (name: string) => {
      await admin.ask('POST', path, configMap(name));
      await admin.ask('GET', '/apis/cluster.x-k8s.io/v1beta2/clusters');
      await admin.ask('DELETE', `${path}/${name}`);
    };
    await play('warm');

    const without = await during(() => play('a'));
    await admin.ask('POST', CRDS, definition());
    await admin.ask('POST', WIDGETS, widget('a'));
    const with_ = await during(() => play('b'));
    const ofCustom = await during(() => admin.ask('GET', `${WIDGETS}/a`));

    expect(with_).toEqual(without);
    expect(without.filter((what) => what.endsWith(' customresourcedefinitions'))).toEqual([]);
    expect(ofCustom).toEqual(['latest customresourcedefinitions', 'get widgets']);
  });
});
