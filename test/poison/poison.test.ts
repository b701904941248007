/** Whatever a tenant's editor writes, the neighbouring cluster behaves as if this tenant did not exist. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SWEEP_FAILED } from '../../functions/drift/reports/report-troubles.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { startDriftWorld } from '../drift/drift-world.ts';
import { poison } from './dose.ts';
import { knownKeys } from './keys.ts';
import { type Life, live } from './life.ts';
import { addMallory, apiOf, type Mallory, TENANT } from './mallory.ts';
import { tenantPass } from './tenant-pass.ts';

/** `npm test` uses a few; the conformance suites use more (`POISON_SEEDS`). */
const SEEDS = Number(process.env.POISON_SEEDS ?? 3);
const FIRST = Number(process.env.POISON_FIRST ?? 1);

/** Errors of the runtime when code gets an unexpected value. */
const UNSPOKEN = /^\w+: (TypeError|SyntaxError|RangeError|ReferenceError|URIError|YAML\w+|ZodError|Error):/;

const keys = knownKeys();

/** An installation with a healthy cluster and a tenant's, which `harm` may change at the start. */
const inInstallation = async (
  harm: (mallory: Mallory, api: ReturnType<typeof apiOf>) => Promise<string[]>,
): Promise<Life & Awaited<ReturnType<typeof tenantPass>> & { named: string; taken: string[] }> => {
  const world = await startDriftWorld();
  try {
    const api = apiOf(world);
    const mallory = await addMallory(world, api);
    const taken = await harm(mallory, api);
    world.requests.length = 0;
    const pass = { failed: [] as string[], said: [] as string[] };
    const life = await live(world, api, mallory.instances, async () => {
      Object.assign(pass, await tenantPass(world, mallory));
    });
    const cluster = await world.objects.get(kinds.cluster, { namespace: TENANT, name: mallory.input.cluster.name });
    const { status, message = '' } = findCondition(cluster?.status?.conditions, SWEEP_FAILED) ?? {};
    return { ...life, ...pass, taken, named: status === 'True' ? message : '' };
  } finally {
    await world.close();
  }
};

/** The lines that only one of them has, in both directions. */
const differences = (found: Life['healthy'], wanted: Life['healthy']): string[] => {
  const rest = [...wanted];
  const more = found.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...more.map((line) => `+ ${line}`), ...rest.map((line) => `- ${line}`)];
};

let expected: Life;
beforeAll(async () => {
  expected = await inInstallation(async () => []);
});

it('the names of all annotations and labels are read from the sources', () => {
  expect(keys).toEqual(expect.arrayContaining(['cluster.x-k8s.io/paused', 'windlass.dev/on-drift']));
  expect(keys.length).toBeGreaterThan(50);
});

it('a harmless tenant causes no errors in the installation or in its sweeps', () => {
  expect(expected.errors).toEqual([]);
  expect(expected.sweeps.map(({ troubled }) => troubled)).toEqual([0, 0, 0]);
});

describe('a poisoned cluster', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => FIRST + index))(
    'of seed %i affects no other tenant',
    async (seed) => {
      const { healthy, sweeps, named, taken, errors, failed, said } = await inInstallation((mallory, api) =>
        poison(api, mallory, keys, seed),
      );
      const context = [...taken, ...errors, ...failed].join('\n');
      expect(differences(healthy, expected.healthy), context).toEqual([]);
      expect(taken.length).toBeGreaterThan(3);
      // Errors are reported on the cluster to which they belong.
      if ((sweeps.at(-1)?.troubled ?? 0) > 0) expect(named, context).toContain(`${TENANT}/`);
      expect(
        failed.filter((line) => UNSPOKEN.test(line)),
        context,
      ).toEqual([]);
      expect(said.length > 0, context).toBe(failed.length > 0);
    },
  );
});
