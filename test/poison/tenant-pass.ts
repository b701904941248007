/** A pass over the poisoned cluster: it may fail, but only with messages, which are reported on the cluster. */
import { makeObjectsSteps } from '../../functions/cluster/objects/steps.ts';
import { webCryptoKeys } from '../../shared/bootstrap/certificates/keys.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { silentLog } from '../../shared/log.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryPledges } from '../../shared/store/work/memory-pledges.ts';
import type { WorkStore } from '../../shared/store/work/work.ts';
import { asTask } from '../cluster-infrastructure/world.ts';
import type { DriftWorld } from '../drift/drift-world.ts';
import { type Mallory, TENANT } from './mallory.ts';

const STEPS = ['certificates', 'controlPlane', 'workers', 'launch', 'report'] as const;
const INFRASTRUCTURE = ['network', 'loadBalancer'] as const;
const END = { wanted: 1, attempts: 0, held: true };

const work = {
  begin: async () => ({ acquired: true, wanted: 1, attempts: 0 }),
  extend: async () => true,
  finish: async () => END,
  release: async () => END,
  get: async () => undefined,
  remove: async () => {},
  touch: async () => ({ wanted: 2, leased: true }),
  machinesInWork: async () => ({
    busy: new Set<string>(),
    awaited: new Set<string>(),
    isWatched: false,
    leasedUntil: undefined,
  }),
} as Partial<WorkStore> as WorkStore;

/**
 * Runs the steps; a failed step is followed by `fail`, as in the workflow. Returns the failures, and the reports about
 * them.
 */
export const tenantPass = async (
  world: DriftWorld,
  { input }: Mallory,
): Promise<{ failed: string[]; said: string[] }> => {
  const { objects, clock } = world;
  const nothing = async () => {};
  const startConverge = async () => true;
  const executions = { startConverge, startProvision: nothing, startRemove: nothing, startPool: nothing };
  const steps = makeObjectsSteps({
    objects,
    work,
    executions,
    touch: nothing,
    clock,
    random: systemRandom,
    keys: webCryptoKeys,
    pledges: createMemoryPledges({ clock }),
  });
  const context = { log: silentLog };
  const failed: string[] = [];
  const attempt = async (step: string, run: () => Promise<unknown>): Promise<void> => {
    try {
      await asTask<unknown>(clock, run);
    } catch (error) {
      const { name, message, stack = '' } = error as Error;
      const at = stack.split('\n').find((line) => line.includes('at ')) ?? '';
      failed.push(`${step}: ${name}: ${message.slice(0, 200)} ${at.trim()}`);
      await steps.fail(
        { ...input, failure: { Error: name, Cause: JSON.stringify({ errorMessage: message }) } },
        context,
      );
    }
  };
  await attempt('begin', () => steps.begin(input, context));
  for (const step of INFRASTRUCTURE) await attempt(step, () => world.run(step, input));
  for (const step of STEPS) await attempt(step, () => steps[step]({ ...input, checked: true }, context));
  await attempt('probe', () => world.run('probe', input));
  await attempt('finish', () => steps.finish(input, context));
  const events = await objects.list(kinds.event, TENANT);
  return {
    failed,
    said: events.flatMap(({ reason, message }) => (reason === 'ReconcileFailed' ? [message ?? ''] : [])),
  };
};
