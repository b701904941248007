/** Finalizers of the controllers, which an editor of a namespace may not remove. */
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { binding, createTestApi, RBAC, user } from '../test-api.ts';

const W1 = '/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/awsmachines/w-1';

const awsMachine = (metadata: object) => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  metadata: { name: 'w-1', namespace: 'default', ...metadata },
  spec: { instanceType: 't3.large' },
});

describe('the finalizer of an instance', () => {
  let api: ReturnType<typeof createTestApi>;
  let editor: ReturnType<typeof api.user>;
  let admin: ReturnType<typeof api.user>;
  let controllers: ReturnType<typeof createObjectClient>;

  const FINALIZER = 'awsmachine.infrastructure.cluster.x-k8s.io';
  const finalizersOf = async () => (await api.admin.ask('GET', W1)).body.metadata?.finalizers;

  beforeEach(async () => {
    const storage = createMemoryStorage();
    api = createTestApi(storage);
    const options = { resources: KINDS, storage, clock: systemClock, random: systemRandom };
    controllers = createObjectClient(createRegistry(options));
    for (const [name, role] of [
      ['Mallory', 'edit'],
      ['NamespaceAdmin', 'admin'],
    ] as const)
      await api.admin.ask(
        'POST',
        `${RBAC}/namespaces/default/rolebindings`,
        binding(name.toLowerCase(), user(name), role),
      );
    editor = api.user('Mallory');
    admin = api.user('NamespaceAdmin');
    await controllers.ensure(kinds.awsMachine, awsMachine({ finalizers: [FINALIZER, 'example.com/a'] }) as never);
  });

  it('stays if an editor sends the object without it', async () => {
    const cleared = await editor.ask('PATCH', W1, { metadata: { finalizers: null } });
    expect([cleared.code, await finalizersOf()]).toEqual([200, [FINALIZER]]);
    const { resourceVersion } = (await editor.ask('GET', W1)).body.metadata;
    expect((await editor.ask('PUT', W1, awsMachine({ resourceVersion, labels: { a: 'b' } }))).code).toBe(200);
    expect(await finalizersOf()).toEqual([FINALIZER]);

    const replaced = await editor.ask('PATCH', W1, { metadata: { finalizers: ['example.com/b'] } });
    expect([replaced.code, await finalizersOf()]).toEqual([200, [FINALIZER, 'example.com/b']]);
  });

  it('can only be removed from an object in deletion by users who may adopt', async () => {
    await editor.ask('DELETE', W1);
    for (const finalizers of [null, ['example.com/a']]) {
      const { code, body } = await editor.ask('PATCH', W1, { metadata: { finalizers } });
      expect(code).toBe(403);
      expect(body.message).toContain(`metadata.finalizers: Forbidden: ${FINALIZER} is removed by the controllers only`);
    }
    expect((await editor.ask('PATCH', W1, { metadata: { finalizers: [FINALIZER] } })).code).toBe(200);
    expect((await editor.ask('PATCH', W1, { metadata: { finalizers: [] } })).code).toBe(403);
    expect(await finalizersOf()).toEqual([FINALIZER]);

    expect((await admin.ask('PATCH', W1, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await api.admin.ask('GET', W1)).code).toBe(404);
  });

  it('is removed immediately if a user who may adopt removes it, as clusterctl does when it moves a cluster', async () => {
    expect((await admin.ask('PATCH', W1, { metadata: { finalizers: null } })).code).toBe(200);
    expect(await finalizersOf()).toBeUndefined();
  });

  it('stays if an editor sends the object without it in an older version', async () => {
    const old = W1.replace('v1beta2/', 'v1beta1/').replace('infrastructure.', '').replace('awsmachines', 'machines');
    const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'w-1' };
    await controllers.ensure(kinds.machine, {
      ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' },
      metadata: { name: 'w-1', namespace: 'default', finalizers: ['machine.cluster.x-k8s.io'] },
      spec: { clusterName: 'red', bootstrap: { dataSecretName: 'w-1' }, infrastructureRef },
    } as never);
    const change = { metadata: { finalizers: null, labels: { a: 'b' } } };
    const { code, body } = await editor.ask('PATCH', old, change);
    expect([code, body.apiVersion]).toEqual([200, 'cluster.x-k8s.io/v1beta1']);
    expect(body.metadata).toMatchObject({ finalizers: ['machine.cluster.x-k8s.io'], labels: { a: 'b' } });
  });
});
