import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Cluster, kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { useTestDatabase } from '../cluster/test-database.ts';
import { type ManagedCluster, makeManagedCluster, withVariable } from '../cluster/topology/test-topology.ts';
import { describePreview } from './describe.ts';
import { preview } from './preview.ts';

const database = useTestDatabase();
const KEY = { namespace: 'default', name: 'managed' };

let managed: ManagedCluster;

const plan = async (
  resource: ResourceDefinition<never>,
  object: KubeObject,
  mayShow?: (namespace: string) => Promise<boolean>,
) => {
  const dependencies = { reads: managed.objects, now: managed.clock.now(), ...(mayShow ? { mayShow } : {}) };
  const found = await preview(dependencies, [{ resource: resource as never, type: 'updated', object }]);
  return describePreview(found);
};

const planOf = async (change: (cluster: Cluster) => Cluster) =>
  plan(kinds.cluster as never, change((await managed.objects.get(kinds.cluster, KEY)) as Cluster));

const withTopology =
  (change: (topology: NonNullable<Cluster['spec']['topology']>) => NonNullable<Cluster['spec']['topology']>) =>
  (cluster: Cluster): Cluster => ({
    ...cluster,
    spec: { ...cluster.spec, ...(cluster.spec.topology ? { topology: change(cluster.spec.topology) } : {}) },
  });

describe('the plan of a new cluster with a topology', () => {
  it('names all objects to be created, including the machines', async () => {
    managed = await makeManagedCluster(database(), ['Cluster']);
    const cluster = parseAllDocuments(readFileSync('examples/clusterclass.yaml', 'utf8'))
      .map((document) => document.toJS() as Cluster)
      .find(({ kind }) => kind === 'Cluster') as Cluster;
    const object = { ...cluster, metadata: { ...cluster.metadata, namespace: 'default', uid: 'new' } };
    const found = await preview({ reads: managed.objects, now: managed.clock.now() }, [
      { resource: kinds.cluster as never, type: 'created', object },
    ]);
    const lines = describePreview(found).join('\n');
    expect(lines).toMatch(/creates AWSCluster managed-/);
    expect(lines).toMatch(/creates KubeadmControlPlane managed-/);
    expect(lines).toMatch(/MachineDeployment managed-md-0-\S+ creates 2 Machines/);
    expect(lines).toMatch(/KubeadmControlPlane managed-\S+ creates 1 Machine/);
    expect(lines).not.toMatch(/then it|continues in this way/);
  });
});

describe('the plan of a change', () => {
  beforeEach(async () => {
    managed = await makeManagedCluster(database());
    await managed.becomeReady();
  });

  it('is empty if nothing changes', async () => {
    expect(await planOf((cluster) => cluster)).toEqual(['no Machine is created, replaced or deleted']);
  });

  it('of a variable names the replaced templates and the machines', async () => {
    const lines = await planOf(withTopology(withVariable('workerInstanceType', 'c5.large')));
    expect(lines.join('\n')).toMatch(/creates AWSMachineTemplate managed-md-0-\S+ as a replacement for managed-md-0-/);
    expect(lines.join('\n')).toMatch(/MachineDeployment managed-md-0-\S+ replaces 2 Machines/);
    expect(lines.join('\n')).not.toMatch(/KubeadmControlPlane managed-\S+ replaces/);
  });

  it('of the version shows the control plane first, then the workers', async () => {
    const lines = await planOf(withTopology((topology) => ({ ...topology, version: 'v1.35.0' })));
    const text = lines.join('\n');
    expect(text).toMatch(/updates KubeadmControlPlane managed-\S+ with version change from v1.34.0 to v1.35.0/);
    expect(text).toMatch(
      /then it updates MachineDeployment managed-md-0-\S+ with version change from v1.34.0 to v1.35.0/,
    );
    expect(text).toMatch(/KubeadmControlPlane managed-\S+ replaces 1 Machine/);
    expect(text).toMatch(/MachineDeployment managed-md-0-\S+ replaces 2 Machines/);
  });

  it('shows the reason if the change cannot be applied', async () => {
    const lines = await planOf(withTopology(withVariable('workerInstanceType', 't3.nano')));
    expect(lines.join('\n')).toContain('the topology cannot be carried out: ');
  });

  it('of a class shows the effects on every cluster of the class that the user may see', async () => {
    const found = await managed.objects.get(kinds.clusterClass, { namespace: 'default', name: 'aws-small' });
    if (!found) throw new Error('the class is gone');
    const { spec } = found;
    const { workers, ...rest } = spec;
    const [worker] = workers?.machineDeployments ?? [];
    if (!worker) throw new Error('the class has no workers');
    const taints = [{ key: 'gpu', effect: 'NoSchedule' as const, propagation: 'Always' as const }];
    const next = { ...found, spec: { ...rest, workers: { machineDeployments: [{ ...worker, taints }] } } };
    expect((await plan(kinds.clusterClass as never, next)).join('\n')).toMatch(
      /MachineDeployment managed-md-0-\S+ changes 2 Machines in place/,
    );
    expect(await plan(kinds.clusterClass as never, next, async () => false)).toEqual([
      '1 Cluster in other namespaces may change as well; it is shown to users who may list machines there',
    ]);
  });
});
