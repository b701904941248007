/** Workers whose owner is deleted with `--cascade=orphan` and that the garbage collector has not released yet. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type MachineDeployment, type MachineSet } from '../../../../shared/kinds/index.ts';
import { POLICY_FINALIZERS } from '../../../../shared/kube-api/garbage/finalizers.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { readCluster } from '../../snapshot.ts';
import { useTestDatabase } from '../../test-database.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { beginCluster, makeWorld, pass, type World } from '../test-world.ts';
import { adoptOrphans } from './adopt.ts';
import { reconcileDeployment } from './machine-deployment.ts';
import { scaleSet } from './machine-set.ts';

const database = useTestDatabase();

describe('workers whose owner is deleted with --cascade=orphan', () => {
  let w: World;
  let input: ConvergeInput;

  const deployments = () => w.objects.listOfCluster(kinds.machineDeployment, 'default', 'quickstart');
  const sets = () => w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart');
  const machines = async () =>
    (await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).filter(({ metadata }) =>
      metadata.name.includes('-md-0-'),
    );
  const leaving = (objects: readonly KubeObject[]) =>
    objects.filter(({ metadata }) => metadata.deletionTimestamp).map(({ metadata }) => metadata.name);
  /** Releases the dependents of an object as the garbage collector does. */
  const release = async (kind: typeof kinds.machineSet | typeof kinds.machine, uid: string | undefined) => {
    for (const object of await w.objects.listOfCluster(kind as typeof kinds.machineSet, 'default', 'quickstart'))
      await w.objects.mutate(kind as typeof kinds.machineSet, object, (current) => ({
        ...current,
        metadata: {
          ...current.metadata,
          ownerReferences: current.metadata.ownerReferences?.filter((owner) => owner.uid !== uid),
        },
      }));
  };
  /** Deletes an object as the API does with the policy Orphan. */
  const orphan = async (kind: typeof kinds.machineDeployment | typeof kinds.machineSet, object: KubeObject) => {
    const meant = kind as typeof kinds.machineSet;
    await w.objects.mutate(meant, object as MachineSet, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: [...(current.metadata.finalizers ?? []), POLICY_FINALIZERS.Orphan] },
    }));
    await w.objects.delete(meant, object as MachineSet);
  };
  const finishOrphaning = (kind: typeof kinds.machineDeployment | typeof kinds.machineSet, object: KubeObject) =>
    w.objects.mutate(kind as typeof kinds.machineSet, object as MachineSet, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        finalizers: current.metadata.finalizers?.filter((name) => name !== POLICY_FINALIZERS.Orphan),
      },
    }));

  const deps = () => ({ objects: w.objects, clock: w.clock }) as unknown as ObjectsDependencies;

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
  });

  it('stay if it is a MachineDeployment, which is removed once they are released', async () => {
    const [deployment] = (await deployments()) as [MachineDeployment];
    await orphan(kinds.machineDeployment, deployment);
    await pass(w, input);
    expect([leaving(await sets()), leaving(await machines())]).toEqual([[], []]);

    await release(kinds.machineSet, deployment.metadata.uid);
    await finishOrphaning(kinds.machineDeployment, deployment);
    await pass(w, input);
    expect(await deployments()).toEqual([]);
    expect(await sets()).toHaveLength(1);
    expect([leaving(await sets()), leaving(await machines())]).toEqual([[], []]);
  });

  it('stay if they were released after a pass had read them', async () => {
    const [deployment] = (await deployments()) as [MachineDeployment];
    await w.objects.mutate(kinds.machineDeployment, deployment, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: ['keep/it'] },
    }));
    await w.objects.delete(kinds.machineDeployment, deployment);
    const snapshot = await readCluster(w.objects, input.cluster);
    if (!snapshot) throw new Error('the cluster is gone');
    await release(kinds.machineSet, deployment.metadata.uid);
    await reconcileDeployment(deps(), snapshot, snapshot.deployments[0] as MachineDeployment);
    expect(leaving(await sets())).toEqual([]);

    const [set] = (await sets()) as [MachineSet];
    await w.objects.delete(kinds.machineSet, set);
    const now = await readCluster(w.objects, input.cluster);
    if (!now) throw new Error('the cluster is gone');
    await release(kinds.machine, set.metadata.uid);
    await scaleSet(deps(), now, now.sets[0] as MachineSet);
    expect(leaving(await machines())).toEqual([]);
  });

  it('are not adopted by an owner that was deleted after a pass had read it', async () => {
    const [deployment] = (await deployments()) as [MachineDeployment];
    const [set] = (await sets()) as [MachineSet];
    await release(kinds.machine, set.metadata.uid);
    await release(kinds.machineSet, deployment.metadata.uid);
    const snapshot = await readCluster(w.objects, input.cluster);
    if (!snapshot) throw new Error('the cluster is gone');
    await orphan(kinds.machineDeployment, deployment);
    await orphan(kinds.machineSet, set);
    await adoptOrphans(deps(), snapshot);
    const left = [...(await sets()), ...(await machines())];
    expect(
      left.flatMap(({ metadata }) => metadata.ownerReferences?.filter(({ controller }) => controller) ?? []),
    ).toEqual([]);
  });

  it('stay if it is a MachineSet, which is removed once they are released', async () => {
    const [set] = (await sets()) as [MachineSet];
    const before = (await machines()).map(({ metadata }) => metadata.name);
    await orphan(kinds.machineSet, set);
    await pass(w, input);
    expect(leaving(await machines())).toEqual([]);

    await release(kinds.machine, set.metadata.uid);
    await finishOrphaning(kinds.machineSet, set);
    await pass(w, input);
    expect((await sets()).map(({ metadata }) => metadata.uid)).not.toContain(set.metadata.uid);
    expect((await machines()).map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(before));
    expect(leaving(await machines())).toEqual([]);
  });
});
