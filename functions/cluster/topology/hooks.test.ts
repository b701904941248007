import { beforeEach, describe, expect, it } from 'vitest';
import type { CallExtension, ExtensionCall } from '../../../shared/extensions/transport.ts';
import { type ExtensionConfig, kinds } from '../../../shared/kinds/index.ts';
import { HOOK_API_VERSION } from '../../../shared/plan/hooks/catalog.ts';
import { UnansweredError } from '../../../shared/plan/hooks/error.ts';
import { context } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { type ManagedCluster, makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();

let managed: ManagedCluster;
let calls: ExtensionCall[];
/** What extensions answer, by hook; success where nothing is said. */
let answers: Record<string, object | Error | ((request: never) => object)>;

const HOOKS = [
  'BeforeClusterCreate',
  'AfterControlPlaneInitialized',
  'BeforeClusterUpgrade',
  'BeforeControlPlaneUpgrade',
  'AfterControlPlaneUpgrade',
  'BeforeWorkersUpgrade',
  'AfterWorkersUpgrade',
  'AfterClusterUpgrade',
  'BeforeClusterDelete',
];

const callExtension: CallExtension = async (call) => {
  if (call.hook === 'Discovery') {
    const handlers = HOOKS.map((hook) => ({
      name: hook.toLowerCase(),
      requestHook: { apiVersion: HOOK_API_VERSION, hook },
    }));
    const generate = { name: 'generate', requestHook: { apiVersion: HOOK_API_VERSION, hook: 'GeneratePatches' } };
    return { status: 'Success', handlers: [...handlers, generate] };
  }
  calls.push(call);
  const answer = answers[call.hook] ?? {};
  if (answer instanceof Error) throw answer;
  if (typeof answer === 'function') return { status: 'Success', ...answer(call.request as never) };
  return { status: 'Success', ...answer };
};

const extension = (more: object = {}): ExtensionConfig => ({
  apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
  kind: 'ExtensionConfig',
  metadata: { name: 'policy' },
  spec: { clientConfig: { url: 'arn:aws:lambda:us-east-1:123456789012:function:policy' }, ...more },
});

const hooks = () => calls.map(({ hook }) => hook);
const annotations = async () => (await managed.cluster()).metadata.annotations ?? {};
const pending = async () => (await annotations())['runtime.cluster.x-k8s.io/pending-hooks'];
const controlPlane = async () => (await managed.listed(kinds.kubeadmControlPlane))[0];
const waitOf = async () => (await managed.steps.finish(managed.input, context)).waitSeconds;
const later = (seconds: number) => managed.clock.advance(seconds);

const install = (config = extension()) => managed.objects.ensure(kinds.extensionConfig, config);

const initialized = () =>
  managed.objects.mutate(kinds.cluster, { namespace: 'default', name: 'managed' }, (cluster) => ({
    ...cluster,
    status: {
      ...cluster.status,
      conditions: [
        ...(cluster.status?.conditions ?? []),
        {
          type: 'ControlPlaneInitialized',
          status: 'True' as const,
          reason: 'Initialized',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  }));

beforeEach(async () => {
  [calls, answers] = [[], {}];
  managed = await makeManagedCluster(database(), [], callExtension);
});

describe('a cluster without extensions', () => {
  it('is created without a trace of hooks', async () => {
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
    expect(await pending()).toBeUndefined();
    expect(calls).toEqual([]);
  });
});

describe('the creation of a cluster', () => {
  beforeEach(() => install());

  it('waits for its extensions, which are not called before they have asked for it', async () => {
    answers.BeforeClusterCreate = { retryAfterSeconds: 60, message: 'no quota yet' };
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'ClusterCreating',
      message: 'Following hooks are blocking Cluster topology creation: BeforeClusterCreate: no quota yet',
    });
    expect((await managed.cluster()).spec.infrastructureRef).toBeUndefined();
    expect(await waitOf()).toBe(60);
    later(30);
    await managed.begin();
    expect(hooks()).toEqual(['BeforeClusterCreate']);
    expect(await waitOf()).toBe(30);
    later(31);
    answers = {};
    expect(await managed.begin()).toMatchObject({ mode: 'normal' });
    expect(hooks()).toEqual(['BeforeClusterCreate', 'BeforeClusterCreate']);
    expect(await annotations()).not.toHaveProperty('windlass.dev/blocked-hooks');
  });

  it('sends the Cluster without its status and its managed fields', async () => {
    await managed.begin();
    const { request } = calls[0] as ExtensionCall;
    expect(request).toMatchObject({
      apiVersion: HOOK_API_VERSION,
      kind: 'BeforeClusterCreateRequest',
      cluster: { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'managed' } },
    });
    const { cluster } = request as { cluster: { metadata: object } };
    expect(cluster).not.toHaveProperty('status');
    expect(cluster.metadata).not.toHaveProperty('managedFields');
  });

  it('fails in upstream’s words where an extension cannot be asked, and is tried again', async () => {
    answers.BeforeClusterCreate = new UnansweredError('http call failed: the connection was refused');
    await managed.begin();
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'ReconcileFailed',
      message:
        'failed to call extension handlers for hook "BeforeClusterCreate.hooks.runtime.cluster.x-k8s.io": failed to call extension handler "beforeclustercreate.policy": http call failed: the connection was refused',
    });
    answers = {};
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });

  it('is followed by a call when the control plane is there, and only one', async () => {
    await managed.begin();
    expect(await pending()).toBe('AfterControlPlaneInitialized');
    await initialized();
    await managed.begin();
    await managed.begin();
    expect(hooks()).toEqual(['BeforeClusterCreate', 'AfterControlPlaneInitialized']);
    expect(await pending()).toBeUndefined();
  });

  it('discovers extensions that are new', async () => {
    await managed.begin();
    const found = await managed.objects.get(kinds.extensionConfig, { namespace: '', name: 'policy' });
    expect(found?.status?.handlers).toHaveLength(HOOKS.length + 1);
    expect(found?.status?.conditions).toEqual([
      expect.objectContaining({ type: 'Discovered', status: 'True', observedGeneration: 1 }),
      expect.objectContaining({ type: 'Paused', status: 'False' }),
    ]);
  });
});

describe('an extension for some namespaces', () => {
  it('is not called for the others', async () => {
    await install(extension({ namespaceSelector: { matchLabels: { team: 'a' } } }));
    await managed.begin();
    expect(calls).toEqual([]);
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });
});

describe('an upgrade', () => {
  const upgrade = () => managed.change((topology) => ({ ...topology, version: 'v1.35.0' }));
  const machinesRun = (version: string) => managed.provision(version);

  beforeEach(async () => {
    await install();
    await managed.begin();
    await initialized();
    await machinesRun('v1.34.0');
    await managed.begin();
    calls.length = 0;
  });

  it('calls the hooks of each step in their order', async () => {
    await upgrade();
    await managed.begin();
    expect(hooks()).toEqual(['BeforeClusterUpgrade', 'BeforeControlPlaneUpgrade']);
    expect(calls[0]?.request).toMatchObject({
      fromKubernetesVersion: 'v1.34.0',
      toKubernetesVersion: 'v1.35.0',
      controlPlaneUpgrades: [{ version: 'v1.35.0' }],
      workersUpgrades: [{ version: 'v1.35.0' }],
    });
    expect((await controlPlane())?.spec.version).toBe('v1.35.0');
    expect(await pending()).toBe(
      'AfterClusterUpgrade,AfterControlPlaneUpgrade,AfterWorkersUpgrade,BeforeWorkersUpgrade',
    );
    await managed.begin();
    expect(hooks()).toHaveLength(2);
    await machinesRun('v1.35.0');
    await managed.begin();
    expect(hooks().slice(2)).toEqual(['AfterControlPlaneUpgrade', 'BeforeWorkersUpgrade']);
    const [deployment] = await managed.listed(kinds.machineDeployment);
    expect(deployment?.spec.template.spec.version).toBe('v1.35.0');
    await managed.begin();
    expect(hooks().slice(4)).toEqual(['AfterWorkersUpgrade', 'AfterClusterUpgrade']);
    expect(await pending()).toBeUndefined();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });

  it('says what blocks it, and goes on afterwards', async () => {
    answers.BeforeClusterUpgrade = { retryAfterSeconds: 10, message: 'freeze' };
    await upgrade();
    await managed.begin();
    expect(await managed.condition()).toMatchObject({
      reason: 'ClusterUpgrading',
      message: expect.stringContaining(
        'Cluster is upgrading to v1.35.0\n  * Following hooks are blocking upgrade: BeforeClusterUpgrade: freeze\n  * KubeadmControlPlane pending upgrade to version v1.35.0',
      ),
    });
    expect((await controlPlane())?.spec.version).toBe('v1.34.0');
    answers = {};
    later(11);
    await managed.begin();
    expect((await controlPlane())?.spec.version).toBe('v1.35.0');
  });

  it('keeps workers back while the step of the control plane is not acknowledged', async () => {
    await upgrade();
    await managed.begin();
    await machinesRun('v1.35.0');
    answers.AfterControlPlaneUpgrade = { retryAfterSeconds: 5, message: '' };
    await managed.begin();
    const [deployment] = await managed.listed(kinds.machineDeployment);
    expect(deployment?.spec.template.spec.version).toBe('v1.34.0');
    expect((await managed.condition())?.message).toContain(
      'Following hooks are blocking upgrade: AfterControlPlaneUpgrade',
    );
  });

  it('does not forget what was called when a later hook fails', async () => {
    await upgrade();
    await managed.begin();
    await machinesRun('v1.35.0');
    answers.BeforeWorkersUpgrade = new UnansweredError('http call failed: the connection was refused');
    await managed.begin();
    await managed.begin();
    expect(hooks().filter((hook) => hook === 'AfterControlPlaneUpgrade')).toHaveLength(1);
    expect((await managed.condition())?.message).toMatch(
      /^error computing the desired state of the Cluster topology: failed to compute ControlPlane: failed to compute version of ControlPlane: failed to call extension handlers for hook "BeforeWorkersUpgrade/,
    );
  });

  it('is held back by an annotation of a user', async () => {
    await managed.objects.mutate(kinds.cluster, { namespace: 'default', name: 'managed' }, (cluster) => ({
      ...cluster,
      metadata: {
        ...cluster.metadata,
        annotations: { 'before-upgrade.hook.cluster.cluster.x-k8s.io/freeze': '' },
      },
    }));
    await upgrade();
    await managed.begin();
    expect(calls).toEqual([]);
    expect((await managed.condition())?.message).toContain(
      'BeforeClusterUpgrade: annotation before-upgrade.hook.cluster.cluster.x-k8s.io/freeze is set',
    );
  });
});

describe('a class whose patches come from an extension', () => {
  const patches = [{ name: 'region', external: { generatePatchesExtension: 'generate.policy' } }];

  it('has them in its objects', async () => {
    await install();
    await managed.changeClass((spec) => ({ ...spec, patches }));
    answers.GeneratePatches = (request: { items: { uid: string; holderReference: { fieldPath: string } }[] }) => {
      const found = request.items.find(({ holderReference }) => holderReference.fieldPath === 'spec.infrastructureRef');
      const patch = { spec: { template: { spec: { region: 'eu-north-1' } } } };
      const encoded = Buffer.from(JSON.stringify(patch)).toString('base64');
      return { items: [{ uid: found?.uid, patchType: 'JSONMergePatch', patch: encoded }] };
    };
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
    const [infrastructure] = await managed.listed(kinds.awsCluster);
    expect(infrastructure?.spec?.region).toBe('eu-north-1');
  });

  it('stops its clusters, in upstream’s words, where there is no such handler', async () => {
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
    await install();
    await managed.begin();
    calls.length = 0;
    await deleted();
  });

  it('waits for its extensions', async () => {
    answers.BeforeClusterDelete = { retryAfterSeconds: 20, message: 'backup' };
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'Deleting',
      message: 'Cluster is deleting. Following hooks are blocking delete: BeforeClusterDelete: backup',
    });
    expect(await waitOf()).toBe(20);
    answers = {};
    later(21);
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    expect(await annotations()).toHaveProperty(['runtime.cluster.x-k8s.io/ok-to-delete'], '');
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    expect(hooks()).toEqual(['BeforeClusterDelete', 'BeforeClusterDelete']);
  });

  it('goes on with a failure of an extension that may be ignored, and not with another', async () => {
    answers.BeforeClusterDelete = new UnansweredError('http call failed: the connection was refused');
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
