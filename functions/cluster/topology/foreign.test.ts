import { beforeEach, describe, expect, it } from 'vitest';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { context } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { type ManagedCluster, makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();

let managed: ManagedCluster;

beforeEach(async () => {
  managed = await makeManagedCluster(database());
  await managed.begin();
});

const COPIED = ['AWSCluster', 'KubeadmControlPlane'];

/** The original's objects that a topology could change. */
const originals = async (): Promise<KubeObject[]> => {
  const kindsOfRefs = [kinds.awsCluster, kinds.kubeadmControlPlane] as unknown as ResourceDefinition[];
  const found = await Promise.all(kindsOfRefs.map((kind) => managed.listed(kind)));
  return found.flat();
};

/** Applies the output of `kubectl get cluster managed -o yaml` under another name, as a user might. */
const copy = async (change: (spec: Cluster['spec']) => Cluster['spec'] = (spec) => spec): Promise<Cluster> => {
  const { apiVersion, kind, spec } = await managed.cluster();
  const object = { apiVersion, kind, metadata: { name: 'copy', namespace: 'default' }, spec: change(spec) };
  return (await managed.apply(object as KubeObject)) as Cluster;
};

const passOf = async (cluster: Cluster): Promise<string | undefined> => {
  await managed.steps.begin(managed.inputOf(cluster, 1), context);
  const found = await managed.objects.get(kinds.cluster, { namespace: 'default', name: cluster.metadata.name });
  return found?.status?.conditions?.find(({ type }) => type === 'TopologyReconciled')?.message;
};

describe('a topology', () => {
  it('changes nothing of another cluster to whose objects it refers', async () => {
    const before = await originals();
    expect(before.map(({ kind }) => kind)).toEqual(COPIED);
    expect(await passOf(await copy())).toMatch(
      /^error reading current state of the Cluster topology: AWSCluster default\/managed-\S+ exists and does not belong to Cluster default\/copy; /,
    );
    expect(await originals()).toEqual(before);
    expect(await managed.objects.listOfCluster(kinds.awsMachineTemplate, 'default', 'copy')).toEqual([]);
  });

  it('does not change the control plane of another cluster', async () => {
    const before = await originals();
    const message = await passOf(await copy(({ infrastructureRef: _, ...spec }) => spec));
    expect(message).toMatch(/: KubeadmControlPlane default\/managed-\S+ exists and does not belong to Cluster /);
    expect(await originals()).toEqual(before);
  });

  it('is applied in a copy without the references', async () => {
    const made = await copy(({ infrastructureRef: _, controlPlaneRef: __, ...spec }) => spec);
    expect(await passOf(made)).not.toMatch(/error/);
    expect(await managed.objects.listOfCluster(kinds.kubeadmControlPlane, 'default', 'copy')).toHaveLength(1);
  });

  it('does not take over an existing object with the name that its naming template yields', async () => {
    const [controlPlane] = await managed.listed(kinds.kubeadmControlPlane);
    const own = {
      apiVersion: controlPlane?.apiVersion,
      kind: controlPlane?.kind,
      metadata: { name: 'second-plane', namespace: 'default' },
      spec: controlPlane?.spec,
    };
    await managed.apply(own as KubeObject);
    await managed.changeClass((spec: ClusterClass['spec']) => ({
      ...spec,
      controlPlane: { ...spec.controlPlane, naming: { template: 'second-plane' } },
    }));
    const made = await copy(({ infrastructureRef: _, controlPlaneRef: __, ...spec }) => spec);
    expect(await passOf(made)).toMatch(/: KubeadmControlPlane default\/second-plane exists and does not belong to /);
    const key = { namespace: 'default', name: 'second-plane' };
    expect((await managed.objects.get(kinds.kubeadmControlPlane, key))?.metadata.labels).toBeUndefined();
  });
});
