import { beforeEach, describe, expect, it } from 'vitest';
import { type KubeadmControlPlane, kinds, type Machine, type Secret } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, context, makeWorld, pass, quickstart, type World } from '../test-world.ts';

const database = useTestDatabase();

const OWNER = { namespace: 'default', name: 'quickstart-control-plane' };
const PURPOSES = ['ca', 'etcd', 'proxy', 'sa', 'kubeconfig'];

/** A cluster with a running control plane of three machines. */
describe('a control plane that was deleted without its machines', () => {
  let w: World;
  let input: ConvergeInput;
  let before: Machine[];

  const machines = async (): Promise<Machine[]> =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(
      ({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}),
    );
  const names = (all: readonly Machine[]) => all.map(({ metadata }) => metadata.name).sort();
  const owner = () => w.objects.get(kinds.kubeadmControlPlane, OWNER);
  const secret = (purpose: string) =>
    w.objects.get(kinds.secret, { namespace: 'default', name: `quickstart-${purpose}` });
  const controllersOf = (all: readonly (KubeObject | undefined)[]) =>
    all.map(({ metadata } = {} as KubeObject) =>
      (metadata.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller ? [uid] : [])),
    );
  const events = async (reason: string) =>
    (await w.objects.list(kinds.event, 'default'))
      .filter((event) => event.reason === reason)
      .map(({ message }) => message);
  const initialize = () =>
    Promise.all([
      w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (now) => ({
        ...now,
        status: { ...now.status, initialization: { controlPlaneInitialized: true } } as typeof now.status,
      })),
      ...before.map(({ metadata }) =>
        w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, (now) => ({
          ...now,
          spec: { ...now.spec, providerID: `aws:///us-east-1a/i-${metadata.name}` },
        })),
      ),
    ]);
  const withoutOwners = <T extends KubeObject>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, ownerReferences: [] },
  });
  /** Does what the garbage collector does for `--cascade=orphan`. */
  const orphan = async () => {
    for (const { metadata } of await machines())
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, withoutOwners);
    for (const purpose of PURPOSES)
      await w.objects.mutate(
        kinds.secret,
        { namespace: 'default', name: `quickstart-${purpose}` },
        withoutOwners<Secret>,
      );
    await w.objects.delete(kinds.kubeadmControlPlane, (await owner()) as KubeadmControlPlane);
    await pass(w, input);
  };
  const recreate = async (change: (spec: KubeadmControlPlane['spec']) => object = (spec) => spec) => {
    const found = (await quickstart()).find(({ kind }) => kind === 'KubeadmControlPlane') as KubeadmControlPlane;
    await w.apply({ ...found, spec: change(found.spec) } as KubeObject);
    await w.steps.begin(input, context);
  };

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
    before = await machines();
    await initialize();
    await pass(w, input);
  });

  it('is removed, and its machines and Secrets stay', async () => {
    await orphan();

    expect(await owner()).toBeUndefined();
    expect(names(await machines())).toEqual(names(before));
    expect((await Promise.all(PURPOSES.map(secret))).every((found) => found !== undefined)).toBe(true);
  });

  it('releases its Secrets even if a user has only removed it as the owner of its machines', async () => {
    for (const { metadata } of before)
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, withoutOwners);
    const found = (await owner()) as KubeadmControlPlane;
    await w.objects.delete(kinds.kubeadmControlPlane, found);
    await pass(w, input);

    expect(await owner()).toBeUndefined();
    expect(controllersOf(await Promise.all(PURPOSES.map(secret)))).toEqual(PURPOSES.map(() => []));
  });

  it('stays while it is paused or owns a machine', async () => {
    const [first, ...others] = before as [Machine, ...Machine[]];
    for (const { metadata } of others)
      await w.objects.mutate(kinds.machine, { namespace: 'default', name: metadata.name }, withoutOwners);
    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (now) => ({
      ...now,
      metadata: { ...now.metadata, annotations: { 'cluster.x-k8s.io/paused': '' } },
    }));
    await w.objects.delete(kinds.kubeadmControlPlane, (await owner()) as KubeadmControlPlane);
    await pass(w, input);
    await w.objects.mutate(kinds.machine, { namespace: 'default', name: first.metadata.name }, withoutOwners);
    await pass(w, input);
    expect(await owner()).toBeDefined();

    await w.objects.mutate(kinds.kubeadmControlPlane, OWNER, (now) => ({
      ...now,
      metadata: { ...now.metadata, annotations: {} },
    }));
    await pass(w, input);
    expect(await owner()).toBeUndefined();
  });

  it('adopts its machines when it is created again, and creates no others', async () => {
    await orphan();
    await recreate();
    await pass(w, input);
    await pass(w, input);

    const uid = (await owner())?.metadata.uid;
    const after = await machines();
    expect(before).toHaveLength(3);
    expect(names(after)).toEqual(names(before));
    expect(controllersOf(after)).toEqual([[uid], [uid], [uid]]);
    expect(controllersOf(await Promise.all(PURPOSES.map(secret)))).toEqual(PURPOSES.map(() => [uid]));
    expect((await owner())?.status).toMatchObject({ replicas: 3, initialization: { controlPlaneInitialized: true } });
    expect(await events('SuccessfulAdopt')).toHaveLength(3);
  });

  it('adopts no machine of another version, creates and deletes none, and reports why', async () => {
    await orphan();
    await recreate((spec) => ({ ...spec, replicas: 5, version: 'v1.99.0' }));
    await pass(w, input);
    await pass(w, input);

    expect(names(await machines())).toEqual(names(before));
    expect(controllersOf(await machines())).toEqual([[], [], []]);
    expect(conditionOf(await owner(), 'ScalingUp')?.message).toContain('was not adopted: its version');
    expect(await events('AdoptionFailed')).toEqual([expect.stringContaining('more than one minor version')]);
  });

  it('does not adopt machines that another control plane controls, and changes nothing', async () => {
    const copy = { ...(await owner()), metadata: { namespace: 'default', name: 'copy' } } as KubeadmControlPlane;
    await w.apply(copy);
    await w.objects.mutate(kinds.cluster, { namespace: 'default', name: 'quickstart' }, (now) => ({
      ...now,
      spec: { ...now.spec, controlPlaneRef: { ...now.spec.controlPlaneRef, name: 'copy' } } as typeof now.spec,
    }));
    await w.steps.begin(input, context);
    await pass(w, input);
    await pass(w, input);

    const uid = (await owner())?.metadata.uid;
    expect(names(await machines())).toEqual(names(before));
    expect(controllersOf(await machines())).toEqual([[uid], [uid], [uid]]);
  });

  it('does not adopt a copy of one of its machines', async () => {
    const [original] = before;
    const { ownerReferences: _, resourceVersion: __, uid: ___, ...metadata } = (original as Machine).metadata;
    await w.apply({ ...(original as Machine), metadata: { ...metadata, name: 'copy' } });
    await pass(w, input);
    await pass(w, input);

    const copy = await w.objects.get(kinds.machine, { namespace: 'default', name: 'copy' });
    expect(copy?.metadata.ownerReferences ?? []).toEqual([]);
    expect((await machines()).filter(({ metadata: { deletionTimestamp } }) => deletionTimestamp)).toEqual([]);
    expect((await owner())?.status?.replicas).toBe(3);
  });
});
