import { beforeEach, expect, it } from 'vitest';
import type { Topology } from '../../../shared/kinds/cluster/schema.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { useTestDatabase } from '../test-database.ts';
import { type ManagedCluster, makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();
const SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';

let managed: ManagedCluster;

const deployment = async () => {
  const [found] = await managed.listed(kinds.machineDeployment);
  if (!found) throw new Error('the topology has no MachineDeployment');
  return found;
};

/** Sets an autoscaler's limits, or requests a number of replicas, and returns the resulting number. */
const want = async (size: { min: number; max: number } | number): Promise<number | undefined> => {
  const annotations: Record<string, string> =
    typeof size === 'number' ? {} : { [`${SIZE}-min-size`]: `${size.min}`, [`${SIZE}-max-size`]: `${size.max}` };
  const change = (topology: Topology): Topology => ({
    ...topology,
    workers: {
      machineDeployments: (topology.workers?.machineDeployments ?? []).map(
        ({ replicas: _, metadata: __, ...group }) => ({
          ...group,
          metadata: { annotations: { note: 'x', ...annotations } },
          ...(typeof size === 'number' ? { replicas: size } : {}),
        }),
      ),
    },
  });
  await managed.change(change);
  await managed.begin();
  return (await deployment()).spec.replicas;
};

/** Changes the replicas through `/scale`, as the autoscaler does. */
const scale = async (replicas: number): Promise<void> => {
  await managed.objects.mutate(kinds.machineDeployment, await deployment(), (current) => ({
    ...current,
    spec: { ...current.spec, replicas },
  }));
};

beforeEach(async () => {
  managed = await makeManagedCluster(database());
  await managed.begin();
});

it('leaves the replicas of a group to the autoscaler, within its bounds, until the topology sets them again', async () => {
  expect((await deployment()).spec.replicas).toBe(2);
  expect(await want({ min: 1, max: 5 })).toBe(2);
  expect((await deployment()).metadata.annotations).toMatchObject({
    [`${SIZE}-min-size`]: '1',
    [`${SIZE}-max-size`]: '5',
  });

  await scale(4);
  await managed.begin();
  expect((await deployment()).spec.replicas).toBe(4);

  expect(await want(3)).toBe(3);
  expect((await deployment()).metadata.annotations).not.toHaveProperty(`${SIZE}-min-size`);
  await scale(5);
  await managed.begin();
  expect((await deployment()).spec.replicas).toBe(3);
});

it.each([
  ['below', { min: 4, max: 6 }, 4],
  ['above', { min: 0, max: 1 }, 1],
])('brings a group that is %s its bounds back into them', async (_, bounds, replicas) => {
  expect(await want(bounds)).toBe(replicas);
});

it('keeps a group that was scaled to zero at zero', async () => {
  await want({ min: 0, max: 5 });
  await scale(0);
  for (let passes = 0; passes < 2; passes += 1) await managed.begin();
  expect((await deployment()).spec.replicas).toBe(0);
});
