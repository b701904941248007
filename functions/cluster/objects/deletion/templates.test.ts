/** The templates of a Cluster that is deleted, which objects of other clusters may name without owning them. */
import { describe, expect, it } from 'vitest';
import { type Cluster, kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject, OwnerReference } from '../../../../shared/kube-api/object.ts';
import { MAX_OWNERS } from '../../../../shared/kube-api/owner-limits.ts';
import { outsideKind } from '../../../../shared/outside/kinds.ts';
import { useTestDatabase } from '../../test-database.ts';
import { GROUP, makeOutsideWorld, object } from '../references/test-outside.ts';
import { beginCluster, context, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();
const SHARED = { namespace: 'default', name: 'shared' };
const CLUSTER = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster' };

const makeCluster = (w: World, name: string) =>
  w.apply({
    ...CLUSTER,
    metadata: { namespace: 'default', name, finalizers: ['cluster.cluster.x-k8s.io'] },
    spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name } },
  } as Cluster);

const ownerOf = ({ metadata: { name, uid = '' } }: KubeObject) => ({ ...CLUSTER, name, uid });

const remove = async (w: World, cluster: KubeObject): Promise<void> => {
  await w.objects.delete(kinds.cluster, cluster as Cluster);
  await w.steps.report(w.inputOf(cluster, 1), context);
  expect(await w.objects.get(kinds.cluster, { namespace: 'default', name: cluster.metadata.name })).toBeUndefined();
};

const configTemplate = (owners: readonly KubeObject[]): KubeObject => ({
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfigTemplate',
  metadata: { ...SHARED, ownerReferences: owners.map(ownerOf) },
  ...{ spec: { template: { spec: { format: 'cloud-config' } } } },
});

const machineTemplate = (owners: readonly KubeObject[]): KubeObject => ({
  ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate' },
  metadata: { ...SHARED, ownerReferences: owners.map(ownerOf) },
  ...{ spec: { template: { spec: { instanceType: 't3.large' } } } },
});

const REFS = {
  bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'shared' } },
  infrastructureRef: {
    ...{ apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'shared' },
  },
};

const workers = (kind: string, clusterName: string): KubeObject =>
  ({
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, metadata: { namespace: 'default', name: 'workers' } },
    spec: {
      ...{ clusterName, replicas: 0, selector: { matchLabels: { a: 'b' } } },
      template: { metadata: { labels: { a: 'b' } }, spec: { clusterName, ...REFS } },
    },
  }) as KubeObject;

const controlPlane = (labels: Record<string, string>): KubeObject =>
  ({
    ...{ apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlane' },
    metadata: { namespace: 'default', name: 'own', labels },
    spec: {
      ...{ replicas: 1, version: 'v1.34.0', kubeadmConfigSpec: { format: 'cloud-config' } },
      machineTemplate: { spec: { infrastructureRef: REFS.infrastructureRef } },
    },
  }) as KubeObject;

const clusterClass = (): KubeObject => {
  const ref = (group: string, kind: string) => ({
    templateRef: { apiVersion: `${group}.cluster.x-k8s.io/v1beta2`, kind, name: 'shared' },
  });
  return {
    ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'ClusterClass', metadata: { namespace: 'default', name: 'c' } },
    spec: {
      infrastructure: ref('infrastructure', 'AWSClusterTemplate'),
      controlPlane: ref('controlplane', 'KubeadmControlPlaneTemplate'),
      workers: {
        machineDeployments: [
          {
            class: 'default',
            bootstrap: ref('bootstrap', 'KubeadmConfigTemplate'),
            infrastructure: ref('infrastructure', 'AWSMachineTemplate'),
          },
        ],
      },
    },
  } as KubeObject;
};

describe('the last owner of a template', () => {
  it('keeps it for a cluster for which there was no room among the owners, and which then owns it', async () => {
    const w = await makeWorld(database());
    const input = await beginCluster(w);
    const key = { namespace: 'default', name: 'quickstart-md-0' };
    const setOwners = (owners: OwnerReference[]) =>
      w.objects.mutate(kinds.kubeadmConfigTemplate, key, (current) => ({
        ...current,
        metadata: { ...current.metadata, ownerReferences: owners },
      }));
    const owners = async () =>
      (await w.objects.get(kinds.kubeadmConfigTemplate, key))?.metadata.ownerReferences?.map(({ name }) => name);
    const last = await makeCluster(w, 'c-0');
    const others = Array.from({ length: MAX_OWNERS - 1 }, (_, n) => ({
      ...CLUSTER,
      name: `c-${n + 1}`,
      uid: `u-${n}`,
    }));
    await setOwners([ownerOf(last), ...others]);
    for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
    expect(await owners()).not.toContain('quickstart');
    await setOwners([ownerOf(last)]);

    const { wanted } = await w.work.touch(input.cluster);
    await remove(w, last);
    expect(await w.work.touch(input.cluster)).toMatchObject({ wanted: wanted + 2 });
    await pass(w, input);
    expect(await owners()).toEqual(['quickstart']);
  });

  it.each([
    ['a MachineDeployment of another cluster', () => workers('MachineDeployment', 'other'), 2],
    ['a MachineSet of another cluster', () => workers('MachineSet', 'other'), 2],
    ['a control plane without a cluster', () => controlPlane({}), 1],
    ['a ClusterClass that no cluster uses yet', clusterClass, 2],
  ])('keeps it for %s', async (_what, make, named) => {
    const w = await makeWorld(database());
    const cluster = await makeCluster(w, 'c-0');
    await w.apply(configTemplate([cluster]));
    await w.apply(machineTemplate([cluster]));
    await w.apply(make());
    await remove(w, cluster);
    const found = [
      await w.objects.get(kinds.awsMachineTemplate, SHARED),
      await w.objects.get(kinds.kubeadmConfigTemplate, SHARED),
    ].flatMap((one) => one ?? []);
    expect(found).toHaveLength(named);
    for (const { metadata } of found) expect(metadata.ownerReferences ?? []).toEqual([]);
  });

  it('keeps it for a control plane of an external provider', async () => {
    const w = await makeOutsideWorld(database());
    const cluster = await makeCluster(w, 'c-0');
    for (const name of ['shared', 'unused'])
      await w.create({
        ...object('RackMachineTemplate', name, {}),
        ...{ metadata: { namespace: 'default', name, ownerReferences: [ownerOf(cluster)] } },
      });
    const infrastructureRef = { apiGroup: GROUP, kind: 'RackMachineTemplate', name: 'shared' };
    await w.create(object('RackControlPlane', 'other', { machineTemplate: { spec: { infrastructureRef } } }));
    await remove(w, cluster);
    const left = await w.objects.list(outsideKind('machineTemplate', GROUP, 'RackMachineTemplate'), 'default');
    expect(left.map(({ metadata: { name, ownerReferences = [] } }) => [name, ownerReferences])).toEqual([
      ['shared', []],
    ]);
  });

  it('deletes it if only the cluster itself has named it', async () => {
    const w = await makeWorld(database());
    const cluster = await makeCluster(w, 'c-0');
    await w.apply(machineTemplate([cluster]));
    await w.apply(controlPlane({ 'cluster.x-k8s.io/cluster-name': 'c-0' }));
    await remove(w, cluster);
    expect(await w.objects.get(kinds.awsMachineTemplate, SHARED)).toBeUndefined();
  });

  it('leaves it to the other owners', async () => {
    const w = await makeWorld(database());
    const [cluster, other] = [await makeCluster(w, 'c-0'), await makeCluster(w, 'c-1')];
    await w.apply(machineTemplate([cluster, other]));
    await remove(w, cluster);
    const left = await w.objects.get(kinds.awsMachineTemplate, SHARED);
    expect(left?.metadata.ownerReferences).toEqual([ownerOf(other)]);
    await remove(w, other);
    expect(await w.objects.get(kinds.awsMachineTemplate, SHARED)).toBeUndefined();
  });
});
