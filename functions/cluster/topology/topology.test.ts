import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { useTestDatabase } from '../test-database.ts';
import { type ManagedCluster, makeManagedCluster, withVariable } from './test-topology.ts';

const database = useTestDatabase();
const SUCCEEDED = { status: 'True', reason: 'ReconcileSucceeded', message: '' };

let managed: ManagedCluster;

const deployments = () => managed.listed(kinds.machineDeployment);
const checks = () => managed.listed(kinds.machineHealthCheck);
const refOf = async () => (await deployments())[0]?.spec.template.spec.infrastructureRef.name;
const typesOf = async () =>
  (await managed.templates())
    .map(({ spec }) => spec.template.spec.instanceType)
    .sort((a = '', b = '') => a.localeCompare(b));

const failure = (message: string | RegExp) => ({
  status: 'False',
  reason: 'ReconcileFailed',
  message: expect.stringMatching(message),
});

describe('a cluster with a topology', () => {
  beforeEach(async () => {
    managed = await makeManagedCluster(database());
    await managed.begin();
  });

  it('gets its objects in the first pass, and the next pass writes nothing', async () => {
    const { spec, metadata } = await managed.cluster();
    expect(await managed.condition()).toEqual(SUCCEEDED);
    expect(metadata.labels).toMatchObject({ 'topology.cluster.x-k8s.io/owned': '' });
    const [infrastructure] = await managed.listed(kinds.awsCluster);
    expect(infrastructure?.metadata.name).toBe(spec.infrastructureRef?.name);
    expect(infrastructure?.spec).toMatchObject({
      region: 'us-east-1',
      network: { vpc: { availabilityZoneUsageLimit: 3 } },
    });
    const [deployment] = await deployments();
    expect(deployment?.spec).toMatchObject({ replicas: 2, template: { spec: { version: 'v1.34.0' } } });
    expect(await checks()).toHaveLength(2);
    const versions = async () =>
      [...(await managed.templates()), ...(await deployments()), ...(await checks()), await managed.cluster()].map(
        (object) => object.metadata.resourceVersion,
      );
    const before = await versions();
    expect(await managed.begin()).toMatchObject({ mode: 'normal', infrastructure: 'aws' });
    expect(await versions()).toEqual(before);
  });

  it('stores the defaults of the variables of its class', async () => {
    const { variables } = (await managed.cluster()).spec.topology ?? {};
    expect(variables).toContainEqual({ name: 'zones', value: 3 });
  });

  it("applies its fields under upstream's name", async () => {
    const [deployment] = await deployments();
    const appliers = deployment?.metadata.managedFields?.filter(({ operation }) => operation === 'Apply');
    expect(appliers?.map(({ manager }) => manager)).toEqual(['capi-topology']);
  });

  it('gets a new template when a spec changes, and the old one is deleted when it is unused', async () => {
    const before = await refOf();
    await managed.change(withVariable('controlPlaneInstanceType', 'm5.xlarge'));
    await managed.change(withVariable('workerInstanceType', 'c5.large'));
    await managed.begin();
    expect(await refOf()).not.toBe(before);
    expect(await typesOf()).toEqual(['c5.large', 'm5.xlarge']);
    const events = (await managed.events()).filter((line) => line.includes('template rotation'));
    expect(events).toHaveLength(2);
    expect(events[0]).toMatch(
      /^TopologyCreate: Created AWSMachineTemplate "default\/managed-.*" as a replacement for "managed-/,
    );
  });

  it('goes back to its previous template', async () => {
    const before = await refOf();
    await managed.change(withVariable('workerInstanceType', 'c5.large'));
    await managed.begin();
    const between = await refOf();
    await managed.change(withVariable('workerInstanceType', 't3.large'));
    await managed.begin();
    await managed.change(withVariable('workerInstanceType', 'c5.large'));
    await managed.begin();
    expect(between).not.toBe(before);
    expect(await refOf()).toBe(between);
  });

  it('keeps a template if only labels change', async () => {
    const before = await refOf();
    await managed.objects.mutate(
      kinds.awsMachineTemplate,
      { namespace: 'default', name: 'aws-small-worker' },
      (found) => ({
        ...found,
        metadata: { ...found.metadata, labels: { tier: 'gold' } },
      }),
    );
    await managed.begin();
    expect(await refOf()).toBe(before);
    const template = await managed.objects.get(kinds.awsMachineTemplate, { namespace: 'default', name: before ?? '' });
    expect(template?.metadata.labels).toMatchObject({ tier: 'gold' });
  });

  it('adds and removes groups of workers with their health checks', async () => {
    await managed.provision();
    const group = { class: 'default-worker', name: 'md-1', replicas: 1 };
    await managed.change((topology) => ({ ...topology, workers: { machineDeployments: [group] } }));
    await managed.begin();
    const all = (await deployments()).filter(({ metadata }) => !metadata.deletionTimestamp);
    expect(all.map(({ metadata }) => metadata.labels?.['topology.cluster.x-k8s.io/deployment-name'])).toEqual(['md-1']);
    expect((await checks()).map(({ metadata }) => metadata.name)).toContain(all[0]?.metadata.name);
    expect(await checks()).toHaveLength(2);
    expect(await managed.events()).toContainEqual(expect.stringMatching(/^TopologyDelete: Deleted MachineDeployment /));
  });

  it('gets no further group while the control plane is being created', async () => {
    const group = { class: 'default-worker', name: 'md-1', replicas: 1 };
    await managed.change((topology) => ({
      ...topology,
      workers: { machineDeployments: [...(topology.workers?.machineDeployments ?? []), group] },
    }));
    await managed.begin();
    expect(await deployments()).toHaveLength(1);
    expect(await managed.condition()).toMatchObject({
      reason: 'ClusterUpgrading',
      message: expect.stringContaining('MachineDeployment md-1 creation deferred while control plane upgrade'),
    });
  });

  it('does not set the number of replicas if the topology has none', async () => {
    await managed.change((topology) => ({
      ...topology,
      workers: { machineDeployments: [{ class: 'default-worker', name: 'md-0' }] },
    }));
    const [deployment] = await deployments();
    await managed.objects.mutate(
      kinds.machineDeployment,
      { namespace: 'default', name: deployment?.metadata.name ?? '' },
      (found) => ({
        ...found,
        spec: { ...found.spec, replicas: 7 },
      }),
    );
    await managed.begin();
    await managed.begin();
    expect((await deployments())[0]?.spec.replicas).toBe(7);
  });

  it('reports that it is paused, or being deleted', async () => {
    const key = { namespace: 'default', name: 'managed' };
    await managed.objects.mutate(kinds.cluster, key, (found) => ({ ...found, spec: { ...found.spec, paused: true } }));
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toEqual({
      status: 'False',
      reason: 'Paused',
      message: 'Cluster spec.paused is set to true',
    });
    await managed.objects.mutate(kinds.cluster, key, (found) => ({ ...found, spec: { ...found.spec, paused: false } }));
    await managed.objects.delete(kinds.cluster, key);
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    expect(await managed.condition()).toMatchObject({ reason: 'Deleting', message: 'Cluster is deleting' });
  });

  it('does not accept referenced objects that it did not create', async () => {
    const name = (await managed.cluster()).spec.infrastructureRef?.name ?? '';
    await managed.objects.mutate(kinds.awsCluster, { namespace: 'default', name }, (found) => ({
      ...found,
      metadata: { ...found.metadata, labels: { 'cluster.x-k8s.io/cluster-name': 'managed' } },
    }));
    await managed.begin();
    expect(await managed.condition()).toEqual(
      failure(/AWSCluster default\/managed-.* referenced from Cluster default\/managed is not topology owned$/),
    );
  });

  it('keeps its existing objects if a change cannot be applied', async () => {
    await managed.changeClass((spec) => ({
      ...spec,
      patches: spec.patches?.map((patch) => ({
        ...patch,
        definitions: patch.definitions?.map((it) => ({
          ...it,
          jsonPatches: it.jsonPatches?.map((operation) => ({
            ...operation,
            op: 'replace' as const,
            path: '/spec/template/spec/nothing/here',
          })),
        })),
      })),
    }));
    expect(await managed.begin()).toMatchObject({ mode: 'normal' });
    expect(await managed.condition()).toEqual(
      failure(/^error computing the desired state of the Cluster topology: failed to apply patches: /),
    );
  });
});

describe('a cluster whose class has naming templates', () => {
  it('reports which template fails for this cluster, and keeps its objects', async () => {
    managed = await makeManagedCluster(database());
    await managed.begin();
    const before = (await deployments()).map(({ metadata }) => metadata.name);
    await managed.changeClass((spec) => ({
      ...spec,
      infrastructure: {
        ...spec.infrastructure,
        naming: { template: '{{ if eq .cluster.name "cluster" }}a{{ else }}{{ .cluster.uid }}{{ end }}' },
      },
    }));
    await managed.begin();
    expect(await managed.condition()).toEqual(
      failure(
        /^error computing the desired state of the Cluster topology: failed to compute InfrastructureCluster: failed to generate the InfrastructureCluster object from the AWSClusterTemplate: failed to generate name for AWSCluster: rendering template: .* map that has no entry for key "uid"$/,
      ),
    );
    expect((await deployments()).map(({ metadata }) => metadata.name)).toEqual(before);
  });
});

describe('a cluster whose class is incomplete or invalid', () => {
  it('reports which class is missing, and starts once it exists', async () => {
    managed = await makeManagedCluster(database(), ['ClusterClass']);
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await managed.condition()).toEqual(
      failure('failed to retrieve ClusterClass default/aws-small: ClusterClass.cluster.x-k8s.io "aws-small" not found'),
    );
    await managed.add('ClusterClass');
    await managed.begin();
    expect(await managed.condition()).toEqual(SUCCEEDED);
  });

  it('ignores changes of a class while the class is paused', async () => {
    const pause = (annotations: Record<string, string>) =>
      managed.objects.mutate(kinds.clusterClass, { namespace: 'default', name: 'aws-small' }, (found) => ({
        ...found,
        metadata: { ...found.metadata, annotations },
      }));
    const drainOf = async () =>
      (await managed.listed(kinds.kubeadmControlPlane))[0]?.spec.machineTemplate.spec.deletion?.nodeDrainTimeoutSeconds;
    await pause({ 'cluster.x-k8s.io/paused': '' });
    await managed.begin();
    expect(await managed.condition()).toEqual(SUCCEEDED);

    await managed.changeClass((spec) => ({
      ...spec,
      controlPlane: { ...spec.controlPlane, deletion: { nodeDrainTimeoutSeconds: 77 } },
    }));
    await managed.begin();
    expect(await managed.condition()).toEqual(
      failure(
        '^ClusterClass is not successfully reconciled: ClusterClass.status.observedGeneration must be 2, but is 1$',
      ),
    );
    expect(await drainOf()).not.toBe(77);

    await pause({});
    await managed.begin();
    expect(await managed.condition()).toEqual(SUCCEEDED);
    expect(await drainOf()).toBe(77);
  });

  it('reports which template is missing', async () => {
    managed = await makeManagedCluster(database(), ['KubeadmConfigTemplate']);
    await managed.begin();
    expect(await managed.condition()).toEqual(
      failure(
        /^error reading the ClusterClass: failed to get bootstrap config template for ClusterClass default\/aws-small, MachineDeployment class "default-worker": /,
      ),
    );
    expect(await deployments()).toEqual([]);
  });

  it('reports which variable is not allowed', async () => {
    managed = await makeManagedCluster(database());
    await managed.change(withVariable('workerInstanceType', 't3.nano'));
    await managed.begin();
    expect(await managed.condition()).toEqual(failure(/a node needs at least 2 GiB of memory/));
  });
});
