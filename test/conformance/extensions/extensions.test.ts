/** Tests that upstream's extension server decodes Windlass's requests, and that Windlass decodes its responses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../functions/cluster/test-database.ts';
import { type ManagedCluster, makeManagedCluster } from '../../../functions/cluster/topology/test-topology.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startUpstreamExtension, type UpstreamExtension } from './extension.ts';

const program = process.env.WINDLASS_EXTENSION;
const database = useTestDatabase();

describe.skipIf(program === undefined)('an extension with upstream’s server', () => {
  let extension: UpstreamExtension;
  let managed: ManagedCluster;
  let before: number;

  beforeAll(async () => {
    extension = await startUpstreamExtension(program ?? '');
  }, LIMIT);

  afterAll(() => extension.stop());

  beforeEach(async () => {
    extension.answer({});
    managed = await makeManagedCluster(database(), [], extension.call);
    await managed.objects.ensure(kinds.extensionConfig, extension.config);
    before = extension.asked().length;
  });

  const asked = () => extension.asked().slice(before);
  const hooks = () => asked().map(({ hook }) => hook);
  const requestOf = (hook: string) => asked().find((it) => it.hook === hook)?.request;

  it('is discovered', async () => {
    await managed.begin();
    const config = await managed.objects.get(kinds.extensionConfig, { namespace: '', name: 'upstream' });
    const found = Object.fromEntries((config?.status?.handlers ?? []).map((it) => [it.name, it.requestHook.hook]));
    expect(found).toMatchObject({ 'create.upstream': 'BeforeClusterCreate', 'patch.upstream': 'GeneratePatches' });
    expect(Object.keys(found)).toHaveLength(13);
  });

  it('gets the Cluster with all fields of its spec, and blocks its creation', async () => {
    extension.answer({ BeforeClusterCreate: { retryAfterSeconds: 30, message: 'later' } });
    await managed.begin();
    const { spec, metadata } = await managed.cluster();
    const { cluster, settings } = requestOf('BeforeClusterCreate') as {
      cluster: { spec: object; metadata: object };
      settings: object;
    };
    // Upstream's Go types drop unknown fields, so the recorded request contains only the fields that they know.
    expect(cluster.spec).toEqual(spec);
    expect(cluster.metadata).toMatchObject({ name: metadata.name, uid: metadata.uid });
    expect(settings).toEqual({ region: 'eu-north-1' });
    expect((await managed.condition())?.message).toBe(
      'Following hooks are blocking Cluster topology creation: BeforeClusterCreate: later',
    );
  });

  it('is called at each step of an upgrade', async () => {
    await managed.begin();
    await managed.provision('v1.34.0');
    await managed.change((topology) => ({ ...topology, version: 'v1.35.0' }));
    await managed.begin();
    await managed.provision('v1.35.0');
    await managed.begin();
    await managed.begin();
    expect(hooks()).toEqual([
      'BeforeClusterCreate',
      'BeforeClusterUpgrade',
      'BeforeControlPlaneUpgrade',
      'AfterControlPlaneUpgrade',
      'BeforeWorkersUpgrade',
      'AfterWorkersUpgrade',
      'AfterClusterUpgrade',
    ]);
    expect(requestOf('BeforeControlPlaneUpgrade')).toMatchObject({
      fromKubernetesVersion: 'v1.34.0',
      toKubernetesVersion: 'v1.35.0',
      controlPlaneUpgrades: [{ version: 'v1.35.0' }],
      workersUpgrades: [{ version: 'v1.35.0' }],
    });
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });

  it('plans upgrades', async () => {
    await managed.changeClass((spec) => ({
      ...spec,
      upgrade: { external: { generateUpgradePlanExtension: 'plan.upstream' } },
    }));
    await managed.begin();
    await managed.provision('v1.34.0');
    await managed.change((topology) => ({ ...topology, version: 'v1.35.0' }));
    await managed.begin();
    expect(requestOf('GenerateUpgradePlan')).toMatchObject({
      fromControlPlaneKubernetesVersion: 'v1.34.0',
      fromWorkersKubernetesVersion: 'v1.34.0',
      toKubernetesVersion: 'v1.35.0',
    });
    const [controlPlane] = await managed.listed(kinds.kubeadmControlPlane);
    expect(controlPlane?.spec.version).toBe('v1.35.0');
  });

  describe('for the patches of a class', () => {
    const external = { generatePatchesExtension: 'patch.upstream', validateTopologyExtension: 'validate.upstream' };
    const withSettings = (settings: Record<string, string>) =>
      managed.changeClass((spec) => ({ ...spec, patches: [{ name: 'region', external: { ...external, settings } }] }));

    it('changes templates', async () => {
      await withSettings({});
      await managed.begin();
      const [infrastructure] = await managed.listed(kinds.awsCluster);
      expect(infrastructure?.spec?.region).toBe('eu-north-1');
      expect(hooks()).toEqual(['BeforeClusterCreate', 'GeneratePatches', 'ValidateTopology']);
      const { items, variables } = requestOf('GeneratePatches') as { items: unknown[]; variables: object[] };
      expect(items.length).toBeGreaterThan(4);
      expect(variables).toEqual([
        { name: 'builtin', value: expect.objectContaining({ cluster: expect.objectContaining({ name: 'managed' }) }) },
      ]);
    });

    it('refuses a topology that it does not allow', async () => {
      await withSettings({ region: 'forbidden-1' });
      await managed.begin();
      expect((await managed.condition())?.message).toBe(
        'error computing the desired state of the Cluster topology: failed to apply patches: validation of patch "region" failed: failed to call extension handler "validate.upstream": got failure response with message: the region forbidden-1 is not allowed',
      );
    });
  });

  describe('for the variables of a class', () => {
    const external = { generatePatchesExtension: 'patch.upstream', discoverVariablesExtension: 'discover.upstream' };
    const discoverAs = (type: string) =>
      managed.changeClass((spec) => ({
        ...spec,
        patches: [...(spec.patches ?? []), { name: 'region', external: { ...external, settings: { type } } }],
      }));
    const status = async () =>
      (await managed.objects.get(kinds.clusterClass, { namespace: 'default', name: 'aws-small' }))?.status;

    it('declares the variables, and gets their values', async () => {
      await discoverAs('string');
      await managed.begin();
      const zone = (await status())?.variables?.find(({ name }) => name === 'zone');
      expect(zone).toMatchObject({ definitions: [{ from: 'region', required: false }], definitionsConflict: false });
      expect((await managed.cluster()).spec.topology?.variables).toContainEqual({ name: 'zone', value: 'north' });
      const { variables } = requestOf('GeneratePatches') as { variables: { name: string }[] };
      expect(variables).toContainEqual({ name: 'zone', value: 'north' });
      expect(hooks()).toContain('DiscoverVariables');
    });

    it('is refused if the schema of a variable is invalid', async () => {
      await discoverAs('nothing');
      await managed.begin();
      const condition = (await status())?.conditions?.find(({ type }) => type === 'VariablesReady');
      expect(condition).toMatchObject({ status: 'False', reason: 'VariableDiscoveryFailed' });
      expect((await managed.condition())?.reason).toBe('ClusterClassNotReconciled');
    });
  });

  it('prevents a cluster from being deleted', async () => {
    await managed.begin();
    await managed.objects.delete(kinds.cluster, { namespace: 'default', name: 'managed' });
    extension.answer({ BeforeClusterDelete: { retryAfterSeconds: 5, message: 'backup' } });
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    managed.clock.advance(6);
    extension.answer({});
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    expect(hooks().filter((hook) => hook === 'BeforeClusterDelete')).toHaveLength(2);
  });
});
