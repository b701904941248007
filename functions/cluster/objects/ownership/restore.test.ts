import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachinePool, kinds, type Machine, type MachinePool } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, pass, quickstart, type World } from '../test-world.ts';
import { addData, addPool, LABELS, NAMESPACE } from './test-pool.ts';

const database = useTestDatabase();

/** The parts of a cluster, and the objects that get owners or finalizers in a pass. */
const PARTS: readonly ResourceDefinition[] = [
  kinds.awsCluster,
  kinds.kubeadmControlPlane,
  kinds.machineDeployment,
  kinds.machineSet,
  kinds.machine,
  kinds.awsMachine,
  kinds.kubeadmConfig,
  kinds.secret,
  kinds.machinePool,
  kinds.awsMachinePool,
] as never;

let w: World;
let input: ConvergeInput;

const all = async (): Promise<{ resource: ResourceDefinition; object: KubeObject }[]> => {
  const lists = await Promise.all(
    PARTS.map(async (resource) =>
      (await w.objects.list(resource, NAMESPACE)).map((object) => ({ resource, object: object as KubeObject })),
    ),
  );
  return lists.flat();
};

const sorted = <T>(list: readonly T[] | undefined): T[] =>
  (list ?? []).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const found = async (what: 'ownerReferences' | 'finalizers' | 'resourceVersion'): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await all()).map(({ object: { kind, metadata } }) => {
      const value = metadata[what];
      return [`${kind} ${metadata.name}`, Array.isArray(value) ? sorted<unknown>(value) : value];
    }),
  );

const removeAll = async (what: 'ownerReferences' | 'finalizers'): Promise<void> => {
  for (const { resource, object } of await all()) {
    await w.objects.mutate(resource, object, ({ metadata: { [what]: _, ...metadata }, ...rest }) => ({
      ...rest,
      metadata,
    }));
  }
};

const change = <T extends KubeObject>(resource: ResourceDefinition<T>, name: string, metadata: object) =>
  w.objects.mutate(resource, { namespace: NAMESPACE, name }, (current) => ({
    ...current,
    metadata: { ...current.metadata, ...metadata },
  }));

beforeEach(async () => {
  w = await makeWorld(database());
  const deployment = ({ kind }: KubeObject) => kind === 'MachineDeployment';
  const manifests = (await quickstart()).map((object) =>
    deployment(object)
      ? ({ ...object, spec: { ...(object as never as { spec: object }).spec, replicas: 1 } } as KubeObject)
      : object,
  );
  input = await beginCluster(w, manifests);
  await addPool(w);
  await pass(w, input);
  for (const config of await w.objects.list(kinds.kubeadmConfig, NAMESPACE)) await addData(w, config);
  await pass(w, input);
  await pass(w, input);
});

const pauseCluster = (paused: boolean) =>
  w.objects.mutate(kinds.cluster, { namespace: NAMESPACE, name: 'quickstart' }, (current) => ({
    ...current,
    spec: { ...current.spec, paused },
  }));

/** The name of a configuration that contains `part`. */
const nameLike = async (part: string): Promise<string> => {
  const configs = await w.objects.list(kinds.kubeadmConfig, NAMESPACE);
  return configs.map(({ metadata }) => metadata.name).find((name) => name.includes(part)) ?? '';
};

describe('the objects of a cluster', () => {
  it('have the owners and finalizers that upstream gives them', async () => {
    const owners = await found('ownerReferences');
    expect(owners['MachinePool pool']).toEqual([expect.objectContaining({ kind: 'Cluster' })]);
    expect(owners['AWSMachinePool pool']).toEqual([expect.objectContaining({ kind: 'MachinePool', controller: true })]);
    expect(owners['Machine pool-i-1']).toEqual([expect.objectContaining({ kind: 'MachinePool', controller: true })]);
    expect(owners['AWSMachine pool-i-1']).toEqual([
      expect.objectContaining({ kind: 'Machine', controller: true }),
      expect.objectContaining({ kind: 'AWSMachinePool' }),
    ]);
    expect(owners['Secret pool']).toEqual([expect.objectContaining({ kind: 'KubeadmConfig', controller: true })]);
    const finalizers = await found('finalizers');
    expect(finalizers['MachinePool pool']).toEqual(['machinepool.cluster.x-k8s.io']);
    expect(finalizers['AWSMachinePool pool']).toEqual(['awsmachinepool.infrastructure.cluster.x-k8s.io']);
  });

  it('include pools that another provider manages, which get an owner but no finalizer', async () => {
    const pool = (await w.objects.get(kinds.machinePool, { namespace: NAMESPACE, name: 'pool' })) as MachinePool;
    const { template } = pool.spec;
    const infrastructureRef = { apiGroup: 'infrastructure.example.com', kind: 'OtherMachinePool', name: 'other' };
    await w.apply({
      ...{ apiVersion: pool.apiVersion, kind: pool.kind },
      metadata: { namespace: NAMESPACE, name: 'other', labels: LABELS },
      spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, infrastructureRef } } },
    } as MachinePool);
    await pass(w, input);
    expect((await found('ownerReferences'))['MachinePool other']).toEqual([
      expect.objectContaining({ kind: 'Cluster' }),
    ]);
    expect((await found('finalizers'))['MachinePool other']).toBeUndefined();
  });

  it('get all removed owners back', async () => {
    const before = await found('ownerReferences');
    expect(Object.values(before).filter((owners) => (owners as unknown[]).length > 0).length).toBeGreaterThan(20);
    await removeAll('ownerReferences');
    await w.steps.begin({ ...input, wanted: 2 }, context);
    for (let passes = 0; passes < 3; passes += 1) await pass(w, input);
    expect(await found('ownerReferences')).toEqual(before);
  });

  it.each([
    ['all kinds', () => true],
    ['configurations only', (kind: string) => kind === 'KubeadmConfig'],
  ])('get the label of the cluster back, and are found without it: %s', async (_what, isMeant) => {
    const label = 'cluster.x-k8s.io/cluster-name';
    const labelled = async () =>
      (await all()).map(({ object: { kind, metadata } }) => `${kind} ${metadata.name} ${metadata.labels?.[label]}`);
    const before = await labelled();
    for (const { resource, object } of await all()) {
      const { [label]: _, ...labels } = object.metadata.labels ?? {};
      // Secrets are found by their names.
      if (object.kind !== 'Secret' && isMeant(object.kind))
        await w.objects.mutate(resource, object, (now) => ({ ...now, metadata: { ...now.metadata, labels } }));
    }
    await w.steps.begin({ ...input, wanted: 2 }, context);
    for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
    expect(await labelled()).toEqual(before);
  });

  it('get all removed finalizers back', async () => {
    const before = await found('finalizers');
    await removeAll('finalizers');
    await w.steps.begin({ ...input, wanted: 2 }, context);
    for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
    const after = await found('finalizers');
    // The finalizer of the AWSCluster is restored together with the network, which has no step here.
    expect({ ...after, 'AWSCluster quickstart': before['AWSCluster quickstart'] }).toEqual(before);
  });

  it('refer to their owners in the current version, as upstream does', async () => {
    const before = await found('ownerReferences');
    for (const { resource, object } of await all()) {
      const ownerReferences = object.metadata.ownerReferences?.map((owner) => ({
        ...owner,
        apiVersion: owner.apiVersion.replace(/\/.*/, '/v1alpha4'),
      }));
      await w.objects.mutate(resource, object, (current) => ({
        ...current,
        metadata: { ...current.metadata, ...(ownerReferences ? { ownerReferences } : {}) },
      }));
    }
    await w.steps.begin({ ...input, wanted: 2 }, context);
    for (let passes = 0; passes < 2; passes += 1) await pass(w, input);
    expect(JSON.stringify(await found('ownerReferences'))).not.toContain('v1alpha4');
    expect(await found('ownerReferences')).toEqual(before);
  });

  const NEW_OWNERS = { ownerReferences: [] };
  const ownersOf = async (resource: ResourceDefinition, name: string) =>
    (await w.objects.get(resource, { namespace: NAMESPACE, name }))?.metadata.ownerReferences;

  it.each([
    ['the data of a worker', kinds.secret, () => nameLike('-md-0-')],
    ['the data of a control plane machine', kinds.secret, () => nameLike('-control-plane-')],
    ['the data of a pool', kinds.secret, async () => 'pool'],
    ['a bootstrap template', kinds.kubeadmConfigTemplate, async () => 'quickstart-md-0'],
    ['the template of the control plane', kinds.awsMachineTemplate, async () => 'quickstart-control-plane'],
  ] as [string, ResourceDefinition, () => Promise<string>][])(
    'get back their owner if only they have lost it: %s',
    async (_what, resource, naming) => {
      const name = await naming();
      const before = await ownersOf(resource, name);
      await change(resource, name, NEW_OWNERS);
      await w.steps.report(input, context);
      expect(before).toHaveLength(1);
      expect(await ownersOf(resource, name)).toEqual(before);
    },
  );

  it('get no data of another cluster, even if a configuration names it', async () => {
    const name = await nameLike('-md-0-');
    const labels = { 'cluster.x-k8s.io/cluster-name': 'other' };
    await change(kinds.secret, name, { ...NEW_OWNERS, labels });
    await w.steps.report(input, context);
    expect(await ownersOf(kinds.secret, name)).toBeUndefined();
  });

  it('are not written while nothing is missing', async () => {
    const before = await found('resourceVersion');
    for (let passes = 0; passes < 3; passes += 1) await pass(w, input);
    expect(await found('resourceVersion')).toEqual(before);
  });

  it('are left alone while the cluster is paused', async () => {
    await pauseCluster(true);
    await change(kinds.awsMachine, 'pool-i-1', { ownerReferences: [], finalizers: [] });
    await w.steps.report(input, context);
    const machine = await w.objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'pool-i-1' });
    expect(machine?.metadata).not.toHaveProperty('ownerReferences');
    expect(machine?.metadata).not.toHaveProperty('finalizers');
  });

  it('stay with another Machine that controls them', async () => {
    const other = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      name: 'other',
      uid: 'u',
      controller: true,
    };
    await change(kinds.awsMachine, 'pool-i-1', { ownerReferences: [other] });
    await pass(w, input);
    const machine = await w.objects.get(kinds.awsMachine, { namespace: NAMESPACE, name: 'pool-i-1' });
    expect(machine?.metadata.ownerReferences).toEqual([other]);
  });

  it('are not given to a copy of their Machine', async () => {
    const [original] = (await w.objects.list(kinds.machine, NAMESPACE)).filter(({ metadata }) =>
      metadata.name.includes('-md-0-'),
    );
    const name = original?.metadata.name ?? '';
    const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = original?.metadata ?? { name };
    await w.apply({ ...original, metadata: { ...metadata, name: `a-${name}`, ownerReferences: [] } } as Machine);
    for (const resource of [kinds.awsMachine, kinds.kubeadmConfig])
      await change(resource as ResourceDefinition, name, { ownerReferences: [] });
    await w.steps.report(input, context);
    const parts = await Promise.all(
      [kinds.awsMachine, kinds.kubeadmConfig].map((resource) =>
        w.objects.get(resource as ResourceDefinition, { namespace: NAMESPACE, name }),
      ),
    );
    expect(parts.map((part) => part?.metadata.ownerReferences?.map((owner) => owner.uid))).toEqual(
      Array(2).fill([original?.metadata.uid]),
    );
  });

  it('are not given to a pool only because of a label', async () => {
    await w.objects.mutate(kinds.awsMachinePool, { namespace: NAMESPACE, name: 'pool' }, (current) => ({
      ...current,
      spec: { ...current.spec, providerIDList: ['aws:///a/i-2'] } as AWSMachinePool['spec'],
    }));
    for (const name of ['pool-i-1', 'pool-i-2']) await change(kinds.machine, name, { ownerReferences: [] });
    await pass(w, input);
    const ownersOf = async (name: string) =>
      (await w.objects.get(kinds.machine, { namespace: NAMESPACE, name }))?.metadata.ownerReferences;
    expect(await ownersOf('pool-i-1')).toBeUndefined();
    expect(await ownersOf('pool-i-2')).toEqual([expect.objectContaining({ kind: 'MachinePool' })]);
  });

  it('do not take over a Secret that may belong to a user', async () => {
    const name = 'pool';
    await change(kinds.secret, name, { ownerReferences: [], labels: {} });
    await change(kinds.kubeadmConfig, name, { ownerReferences: [] });
    await pass(w, input);
    const secret = await w.objects.get(kinds.secret, { namespace: NAMESPACE, name });
    expect(secret?.metadata).toHaveProperty('uid');
    expect(secret?.metadata).not.toHaveProperty('ownerReferences');
  });
});
