import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExtensionCall } from '../../../shared/extensions/transport.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { HOOK_API_VERSION } from '../../../shared/plan/hooks/catalog.ts';
import { UnansweredError } from '../../../shared/plan/hooks/error.ts';
import { useTestDatabase } from '../test-database.ts';
import { extension, HANDLERS, type HookedCluster, makeHookedCluster } from './test-hooks.ts';

const database = useTestDatabase();

let managed: HookedCluster;

beforeEach(async () => {
  managed = await makeHookedCluster(database());
});

describe('a cluster without extensions', () => {
  it('is created without calls or annotations for hooks', async () => {
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
    expect(await managed.pending()).toBeUndefined();
    expect(managed.calls).toEqual([]);
  });
});

describe('extensions', () => {
  const readsIn = async (run: () => Promise<unknown>) => {
    const list = vi.spyOn(managed.objects, 'list');
    await run();
    const reads = list.mock.calls.filter(([resource]) => resource.kind === 'ExtensionConfig').length;
    list.mockRestore();
    return reads;
  };
  const upgrade = () => managed.change((topology) => ({ ...topology, version: 'v1.35.0' }));

  it.each([true, false])(
    'are read once if a hook is due, and otherwise not at all (installed: %s)',
    async (installed) => {
      if (installed) await managed.install();
      expect(await readsIn(managed.begin)).toBe(1);
      await managed.provision();
      expect(await readsIn(managed.begin)).toBe(0);
      expect(await readsIn(managed.begin)).toBe(0);
      await upgrade();
      expect(await readsIn(managed.begin)).toBe(1);
      expect(await readsIn(managed.begin)).toBe(0);
      await managed.objects.delete(kinds.cluster, { namespace: 'default', name: 'managed' });
      expect(await readsIn(managed.begin)).toBe(1);
      expect(await readsIn(managed.begin)).toBe(0);
    },
  );
});

describe('the creation of a cluster', () => {
  beforeEach(() => managed.install());

  it('waits for its extensions, which are not called again before the requested time', async () => {
    managed.answers.set('BeforeClusterCreate', { retryAfterSeconds: 60, message: 'no quota yet' });
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'ClusterCreating',
      message: 'Following hooks are blocking Cluster topology creation: BeforeClusterCreate: no quota yet',
    });
    expect((await managed.cluster()).spec.infrastructureRef).toBeUndefined();
    expect(await managed.waitOf()).toBe(60);
    managed.clock.advance(30);
    await managed.begin();
    expect(managed.hooks()).toEqual(['BeforeClusterCreate']);
    expect(await managed.waitOf()).toBe(30);
    managed.clock.advance(31);
    managed.answers.clear();
    expect(await managed.begin()).toMatchObject({ mode: 'normal' });
    expect(managed.hooks()).toEqual(['BeforeClusterCreate', 'BeforeClusterCreate']);
    expect(await managed.annotations()).not.toHaveProperty('windlass.dev/blocked-hooks');
  });

  it.each(['infrastructureRef', 'controlPlaneRef'] as const)(
    'waits for its extensions even if its user names an object for %s that does not exist',
    async (field) => {
      const refs = {
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'mine' },
        controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'mine' },
      };
      await managed.objects.mutate(kinds.cluster, { namespace: 'default', name: 'managed' }, ({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, [field]: refs[field] },
      }));
      managed.answers.set('BeforeClusterCreate', { retryAfterSeconds: 60, message: 'no quota yet' });
      await managed.begin();
      expect(await managed.condition()).toMatchObject({ reason: 'ClusterCreating' });
      expect([await managed.listed(kinds.awsCluster), await managed.templates()]).toEqual([[], []]);
      managed.clock.advance(61);
      managed.answers.clear();
      expect(await managed.begin()).toMatchObject({ mode: 'normal' });
      expect(await managed.pending()).toBe('AfterControlPlaneInitialized');
    },
  );

  it('sends the Cluster without its status and its managed fields', async () => {
    await managed.begin();
    const { request } = managed.calls[0] as ExtensionCall;
    expect(request).toMatchObject({
      apiVersion: HOOK_API_VERSION,
      kind: 'BeforeClusterCreateRequest',
      cluster: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'managed' } },
    });
    const { cluster } = request as { cluster: { metadata: object } };
    expect(cluster).not.toHaveProperty('status');
    expect(cluster.metadata).not.toHaveProperty('managedFields');
  });

  it('fails with upstream’s message if an extension cannot be called, and is retried', async () => {
    managed.answers.set('BeforeClusterCreate', new UnansweredError('http call failed: the connection was refused'));
    await managed.begin();
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'ReconcileFailed',
      message:
        'failed to call extension handlers for hook "BeforeClusterCreate.hooks.runtime.cluster.x-k8s.io": failed to call extension handler "beforeclustercreate.policy": http call failed: the connection was refused',
    });
    managed.answers.clear();
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });

  it('waits even if the requested time exceeds any date', async () => {
    managed.answers.set('BeforeClusterCreate', { retryAfterSeconds: Number.MAX_SAFE_INTEGER, message: 'never' });
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toMatchObject({ reason: 'ClusterCreating' });
    managed.clock.advance(30);
    await managed.begin();
    expect(managed.hooks()).toEqual(['BeforeClusterCreate']);
  });

  it('is followed by one call when the control plane is initialized', async () => {
    await managed.begin();
    expect(await managed.pending()).toBe('AfterControlPlaneInitialized');
    await managed.initialized();
    await managed.begin();
    await managed.begin();
    expect(managed.hooks()).toEqual(['BeforeClusterCreate', 'AfterControlPlaneInitialized']);
    expect(await managed.pending()).toBeUndefined();
  });

  it('discovers new extensions', async () => {
    await managed.begin();
    const found = await managed.objects.get(kinds.extensionConfig, { namespace: '', name: 'policy' });
    expect(found?.status?.handlers).toHaveLength(HANDLERS.length);
    expect(found?.status?.conditions).toEqual([
      expect.objectContaining({ type: 'Discovered', status: 'True', observedGeneration: 1 }),
      expect.objectContaining({ type: 'Paused', status: 'False' }),
    ]);
  });
});

describe('an extension with a namespace selector', () => {
  it('is not called for other namespaces', async () => {
    await managed.install(extension({ namespaceSelector: { matchLabels: { team: 'a' } } }));
    await managed.begin();
    expect(managed.calls).toEqual([]);
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });
});

describe('a class whose patches come from an extension', () => {
  const patches = [{ name: 'region', external: { generatePatchesExtension: 'generate.policy' } }];

  it('applies these patches to the objects of its clusters', async () => {
    await managed.install();
    await managed.changeClass((spec) => ({ ...spec, patches }));
    managed.answers.set(
      'GeneratePatches',
      (request: { items: { uid: string; holderReference: { fieldPath: string } }[] }) => {
        const found = request.items.find(
          ({ holderReference }) => holderReference.fieldPath === 'spec.infrastructureRef',
        );
        const patch = { spec: { template: { spec: { region: 'eu-north-1' } } } };
        const encoded = Buffer.from(JSON.stringify(patch)).toString('base64');
        return { items: [{ uid: found?.uid, patchType: 'JSONMergePatch', patch: encoded }] };
      },
    );
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
    const [infrastructure] = await managed.listed(kinds.awsCluster);
    expect(infrastructure?.spec?.region).toBe('eu-north-1');
  });

  it('blocks its clusters, with upstream’s message, if the handler does not exist', async () => {
    await managed.changeClass((spec) => ({ ...spec, patches }));
    await managed.begin();
    expect((await managed.condition())?.message).toBe(
      'error computing the desired state of the Cluster topology: failed to apply patches: failed to generate patches for patch "region": failed to call extension handler "generate.policy": failed to get extension handler "generate.policy" from registry: handler with name "generate.policy" has not been registered',
    );
  });
});

describe('the deletion of a cluster', () => {
  const deleted = () => managed.objects.delete(kinds.cluster, { namespace: 'default', name: 'managed' });

  beforeEach(async () => {
    await managed.install();
    await managed.begin();
    managed.calls.length = 0;
    await deleted();
  });

  it('waits for its extensions', async () => {
    managed.answers.set('BeforeClusterDelete', { retryAfterSeconds: 20, message: 'backup' });
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'Deleting',
      message: 'Cluster is deleting. Following hooks are blocking delete: BeforeClusterDelete: backup',
    });
    expect(await managed.waitOf()).toBe(20);
    managed.answers.clear();
    managed.clock.advance(21);
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    expect(await managed.annotations()).toHaveProperty(['runtime.cluster.x-k8s.io/ok-to-delete'], '');
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    expect(managed.hooks()).toEqual(['BeforeClusterDelete', 'BeforeClusterDelete']);
  });

  it('continues after a failure only if the failures of the extension are ignored', async () => {
    managed.answers.set('BeforeClusterDelete', new UnansweredError('http call failed: the connection was refused'));
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toMatchObject({ reason: 'ReconcileFailed' });
    await managed.objects.mutate(kinds.extensionConfig, { namespace: '', name: 'policy' }, (config) => ({
      ...config,
      status: {
        ...config.status,
        handlers: (config.status?.handlers ?? []).map((handler) => ({ ...handler, failurePolicy: 'Ignore' as const })),
      },
    }));
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
  });
});
