import { afterAll, beforeAll, expect, it } from 'vitest';
import { certificates } from '../../functions/cluster/objects/key-material/certificates.ts';
import { context, makeWorld, quickstart } from '../../functions/cluster/objects/test-world.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { systemRandom } from '../../shared/random.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { type Executioner, isObjectWrite } from '../cluster-infrastructure/faults.ts';
import { deathsThatMatter, nobody, untilDeath } from './points.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const MATERIAL = ['ca', 'etcd', 'proxy', 'sa', 'token'].map((purpose) => `quickstart-${purpose}`);

/** Creates the key material, with a crash, and then creates it again. */
const story = async (executioner: Executioner) => {
  const world = await makeWorld(database);
  const applied = [];
  for (const object of await quickstart()) applied.push(await world.apply(object));
  const cluster = applied.find(({ kind }) => kind === 'Cluster');
  if (!cluster) throw new Error('the example has no Cluster');
  const input = world.inputOf(cluster, 1);
  await world.steps.begin(input, context);
  const run = (by: Executioner) => {
    const objects = by.guard(world.objects, isObjectWrite);
    const { clock, work } = world;
    return certificates({
      ...{ objects, clock, work, random: systemRandom, keys: webCryptoKeys },
      ...{ executions: {} as never, touch: async () => {} },
    })(input);
  };
  await untilDeath(run(executioner));
  const before = await world.objects.list(kinds.secret, 'default');
  const { ready } = await run(nobody());
  const after = new Map(
    (await world.objects.list(kinds.secret, 'default')).map((secret) => [secret.metadata.name, secret]),
  );
  return {
    ready,
    names: [...after.keys()].sort(),
    // A machine may have started with the key material that was created first.
    replaced: before.filter(
      ({ metadata, data }) => JSON.stringify(after.get(metadata.name)?.data) !== JSON.stringify(data),
    ).length,
    conditions: (await world.objects.list(kinds.kubeadmControlPlane, 'default')).map(({ status }) =>
      status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason].join(' ')),
    ),
  };
};

it('key material is created once, wherever the step that creates it dies', async () => {
  const { count, end, failures } = await deathsThatMatter(3, story);
  expect(end).toMatchObject({ ready: true, replaced: 0 });
  expect((end as { names: string[] }).names).toEqual(expect.arrayContaining(MATERIAL.slice(0, 4)));
  expect(count).toBeGreaterThan(4);
  expect(failures).toEqual([]);
});
