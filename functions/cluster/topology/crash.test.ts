import { describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { useTestDatabase } from '../test-database.ts';
import { reconcileTopology } from './reconcile.ts';
import { type ManagedCluster, makeManagedCluster, withVariable } from './test-topology.ts';

const database = useTestDatabase();

class Crash extends Error {}

/** A client that fails at its n-th write, either before or after the write takes effect. */
const crashingAt = (objects: ObjectClient, number: number, when: 'before' | 'after'): ObjectClient => {
  let writes = 0;
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1;
    const isMeant = writes === number;
    if (isMeant && when === 'before') throw new Crash();
    const result = await write();
    if (isMeant) throw new Crash();
    return result;
  };
  return {
    ...objects,
    ensure: (...args: Parameters<ObjectClient['ensure']>) => around(() => objects.ensure(...args)),
    apply: (...args: Parameters<ObjectClient['apply']>) => around(() => objects.apply(...args)),
    mutate: (...args: Parameters<ObjectClient['mutate']>) => around(() => objects.mutate(...args)),
    delete: (...args: Parameters<ObjectClient['delete']>) => around(() => objects.delete(...args)),
  } as ObjectClient;
};

const KINDS = [
  kinds.awsCluster,
  kinds.kubeadmControlPlane,
  kinds.awsMachineTemplate,
  kinds.kubeadmConfigTemplate,
  kinds.machineDeployment,
  kinds.machineHealthCheck,
];

const namesOf = async ({ listed }: ManagedCluster): Promise<string[]> =>
  (await Promise.all(KINDS.map((kind) => listed(kind as typeof kinds.awsCluster))))
    .flat()
    .map(({ kind, metadata }) => `${kind}/${metadata.name.replace(/-[^-]*$/, '')}`)
    .sort();

/** Runs a pass that crashes, and then complete passes. False if the pass has fewer writes. */
const survives = async (managed: ManagedCluster, number: number, when: 'before' | 'after'): Promise<boolean> => {
  const { objects, clock } = managed;
  const crashed = await reconcileTopology(
    { objects: crashingAt(objects, number, when), clock },
    await managed.cluster(),
  ).then(
    () => false,
    (error: unknown) => {
      if (error instanceof Crash) return true;
      throw error;
    },
  );
  await managed.begin();
  await managed.provision();
  await managed.begin();
  await managed.begin();
  return crashed;
};

const whole = async (change?: (managed: ManagedCluster) => Promise<unknown>): Promise<string[]> => {
  const managed = await makeManagedCluster(database());
  await managed.begin();
  await managed.provision();
  await change?.(managed);
  await managed.begin();
  await managed.begin();
  return namesOf(managed);
};

const changeTypes = async ({ change }: ManagedCluster): Promise<void> => {
  await change(withVariable('controlPlaneInstanceType', 'm5.xlarge'));
  await change(withVariable('workerInstanceType', 'c5.large'));
};

describe.each(['before', 'after'] as const)('a pass over a topology that ends %s a write', (when) => {
  it('is completed by the next, with the same objects, when the cluster is created', async () => {
    const expected = await whole();
    let number = 1;
    for (let crashed = true; crashed; number += 1) {
      const managed = await makeManagedCluster(database());
      crashed = await survives(managed, number, when);
      expect(await namesOf(managed), `write ${number}`).toEqual(expected);
      expect((await managed.condition())?.status).toBe('True');
    }
    expect(number).toBeGreaterThan(8);
  });

  it('is completed by the next, with the same objects, when templates are replaced', async () => {
    const expected = await whole(changeTypes);
    let number = 1;
    for (let crashed = true; crashed; number += 1) {
      const managed = await makeManagedCluster(database());
      await managed.begin();
      await changeTypes(managed);
      crashed = await survives(managed, number, when);
      expect(await namesOf(managed), `write ${number}`).toEqual(expected);
    }
    expect(number).toBeGreaterThan(5);
  });
});
