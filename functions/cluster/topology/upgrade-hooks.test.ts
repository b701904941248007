import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { UnansweredError } from '../../../shared/plan/hooks/error.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import { useTestDatabase } from '../test-database.ts';
import { type HookedCluster, makeHookedCluster } from './test-hooks.ts';

const database = useTestDatabase();

const available = { type: 'Available', status: 'True', reason: 'Available', message: '' } as const;

let managed: HookedCluster;

const controlPlane = async () => (await managed.listed(kinds.kubeadmControlPlane))[0];

describe('an upgrade', () => {
  const upgrade = () => managed.change((topology) => ({ ...topology, version: 'v1.35.0' }));
  const machinesRun = (version: string) => managed.provision(version);

  beforeEach(async () => {
    managed = await makeHookedCluster(database());
    await managed.install();
    await managed.begin();
    await managed.initialized();
    await machinesRun('v1.34.0');
    await managed.begin();
    managed.calls.length = 0;
  });

  it('calls the hooks of each step in order', async () => {
    await upgrade();
    await managed.begin();
    expect(managed.hooks()).toEqual(['BeforeClusterUpgrade', 'BeforeControlPlaneUpgrade']);
    expect(managed.calls[0]?.request).toMatchObject({
      fromKubernetesVersion: 'v1.34.0',
      toKubernetesVersion: 'v1.35.0',
      controlPlaneUpgrades: [{ version: 'v1.35.0' }],
      workersUpgrades: [{ version: 'v1.35.0' }],
    });
    expect((await controlPlane())?.spec.version).toBe('v1.35.0');
    expect(await managed.pending()).toBe(
      'AfterClusterUpgrade,AfterControlPlaneUpgrade,AfterWorkersUpgrade,BeforeWorkersUpgrade',
    );
    await managed.begin();
    expect(managed.hooks()).toHaveLength(2);
    await machinesRun('v1.35.0');
    await managed.begin();
    expect(managed.hooks().slice(2)).toEqual(['AfterControlPlaneUpgrade', 'BeforeWorkersUpgrade']);
    const [deployment] = await managed.listed(kinds.machineDeployment);
    expect(deployment?.spec.template.spec.version).toBe('v1.35.0');
    await managed.begin();
    expect(managed.hooks().slice(4)).toEqual(['AfterWorkersUpgrade', 'AfterClusterUpgrade']);
    expect(await managed.pending()).toBeUndefined();
    expect(await managed.condition()).toMatchObject({ status: 'True' });
  });

  it('keeps the labels that a user changes while the hooks are called', async () => {
    const label = (change: (labels: Record<string, string>) => Record<string, string>) =>
      managed.objects.mutate(kinds.cluster, { namespace: 'default', name: 'managed' }, (current) => ({
        ...current,
        metadata: { ...current.metadata, labels: change(current.metadata.labels ?? {}) },
      }));
    await label((labels) => ({ ...labels, env: 'staging', cni: 'calico' }));
    await upgrade();
    managed.meanwhile.set('BeforeControlPlaneUpgrade', () =>
      label(({ cni: _, ...labels }) => ({ ...labels, env: 'prod' })),
    );
    await managed.begin();

    const { labels } = (await managed.cluster()).metadata;
    expect(labels).toMatchObject({ env: 'prod', 'topology.cluster.x-k8s.io/owned': '' });
    expect(labels).not.toHaveProperty('cni');
  });

  it('reports a hook that blocks it, and continues afterwards', async () => {
    managed.answers.set('BeforeClusterUpgrade', { retryAfterSeconds: 10, message: 'freeze' });
    await upgrade();
    await managed.begin();
    expect(await managed.condition()).toMatchObject({
      reason: 'ClusterUpgrading',
      message: expect.stringContaining(
        'Cluster is upgrading to v1.35.0\n  * Following hooks are blocking upgrade: BeforeClusterUpgrade: freeze\n  * KubeadmControlPlane pending upgrade to version v1.35.0',
      ),
    });
    expect((await controlPlane())?.spec.version).toBe('v1.34.0');
    managed.answers.clear();
    managed.clock.advance(11);
    await managed.begin();
    expect((await controlPlane())?.spec.version).toBe('v1.35.0');
  });

  it('holds workers back until the step of the control plane is acknowledged', async () => {
    await upgrade();
    await managed.begin();
    await machinesRun('v1.35.0');
    managed.answers.set('AfterControlPlaneUpgrade', { retryAfterSeconds: 5, message: '' });
    await managed.begin();
    const [deployment] = await managed.listed(kinds.machineDeployment);
    expect(deployment?.spec.template.spec.version).toBe('v1.34.0');
    expect((await managed.condition())?.message).toContain(
      'Following hooks are blocking upgrade: AfterControlPlaneUpgrade',
    );
  });

  it('does not repeat earlier hooks after a later one has failed', async () => {
    await upgrade();
    await managed.begin();
    await machinesRun('v1.35.0');
    managed.answers.set('BeforeWorkersUpgrade', new UnansweredError('http call failed: the connection was refused'));
    await managed.begin();
    await managed.begin();
    expect(managed.hooks().filter((hook) => hook === 'AfterControlPlaneUpgrade')).toHaveLength(1);
    expect((await managed.condition())?.message).toMatch(
      /^error computing the desired state of the Cluster topology: failed to compute ControlPlane: failed to compute version of ControlPlane: failed to call extension handlers for hook "BeforeWorkersUpgrade/,
    );
  });

  it('causes no passes while an annotation of a user blocks it', async () => {
    const annotate = (annotations: Record<string, string>) =>
      managed.objects.mutate(kinds.cluster, { namespace: 'default', name: 'managed' }, ({ metadata, ...cluster }) => ({
        ...cluster,
        metadata: { ...metadata, annotations },
        status: {
          ...cluster.status,
          conditions: withConditions(cluster.status?.conditions, [available], 1, managed.clock.now()),
        },
      }));
    await managed.becomeReady();
    await managed.work.begin(managed.input.cluster, managed.input.holder, 60);
    await annotate({ 'before-upgrade.hook.cluster.cluster.x-k8s.io/freeze': '' });
    await upgrade();
    await managed.begin();
    expect(await managed.condition()).toMatchObject({ reason: 'ClusterUpgrading' });
    expect(await managed.waitOf()).toBe(0);

    // Nothing delays the upgrade any more, and the next pass has not started yet.
    await annotate({});
    expect(await managed.waitOf()).toBeGreaterThan(0);
  });

  it('is blocked by an annotation of a user', async () => {
    await managed.objects.mutate(kinds.cluster, { namespace: 'default', name: 'managed' }, (cluster) => ({
      ...cluster,
      metadata: {
        ...cluster.metadata,
        annotations: { 'before-upgrade.hook.cluster.cluster.x-k8s.io/freeze': '' },
      },
    }));
    await upgrade();
    await managed.begin();
    expect(managed.calls).toEqual([]);
    expect((await managed.condition())?.message).toContain(
      'BeforeClusterUpgrade: annotation before-upgrade.hook.cluster.cluster.x-k8s.io/freeze is set',
    );
    expect(await managed.annotations()).not.toHaveProperty(['topology.internal.cluster.x-k8s.io/upgrade-step']);
  });
});
