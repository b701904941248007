import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import { HOURS_PER_MONTH } from '../../../../shared/providers/aws/plan/cost/prices.ts';
import { LIST_PRICES } from '../../../../shared/providers/aws/plan/cost/us-east-1.ts';
import { billOf } from '../../../../shared/providers/aws/plan/cost/usage.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { applyCluster, context, makeInfrastructureReady, makeWorld, type World } from '../test-world.ts';

const database = useTestDatabase();

const SWEEP_SECONDS = 300;
const HOUR = 3600;

/** The states of a pass with all steps, and of an execution that checks the nodes of all machines once. */
const STATES = { pass: 18, look: 14 };

/** Counts the state transitions that a stuck cluster causes, on the test's clock. */
const makeStuck = (w: World, input: ConvergeInput) => {
  let wanted = 1;
  let transitions = 0;
  const look = async (): Promise<void> => {
    for (const machine of w.started.provision.splice(0)) {
      transitions += STATES.look;
      if ((await w.work.joinNodeWatch(machine, `look-${wanted}`, 20)) !== 'watching') continue;
      const { joins } = await w.work.nodeWatch(input.cluster);
      await w.work.endNodeWatch(input.cluster, `look-${wanted}`, joins);
    }
  };
  /** Runs one pass, and returns the time until the next. */
  const pass = async (): Promise<number> => {
    await w.work.touch(input.cluster);
    wanted += 1;
    const own = { ...input, wanted, holder: `pass-${wanted}` };
    await w.steps.begin(own, context);
    await w.steps.launch(own, context);
    const { waitSeconds } = await w.steps.finish({ ...own, seen: wanted }, context);
    transitions += STATES.pass + (waitSeconds > 0 ? 2 : 0);
    await look();
    if (waitSeconds > 0) return waitSeconds;
    const { dueAt } = (await w.work.get(input.cluster)) ?? {};
    const seconds = ((dueAt?.getTime() ?? Number.POSITIVE_INFINITY) - w.clock.now().getTime()) / 1000;
    return Math.ceil(seconds / SWEEP_SECONDS) * SWEEP_SECONDS;
  };
  return async (seconds: number) => {
    transitions = 0;
    const waits: number[] = [];
    for (let left = seconds; left > 0; left -= waits.at(-1) ?? 0) {
      waits.push(await pass());
      w.clock.advance(waits.at(-1) ?? 0);
    }
    const perHour = transitions / (seconds / HOUR);
    const usage = { transitions: perHour * HOURS_PER_MONTH };
    return { waits, usdPerMonth: billOf(usage, 'us-east-1', [LIST_PRICES]).usd };
  };
};

describe('a cluster that never settles', () => {
  let w: World;
  let input: ConvergeInput;
  beforeEach(async () => {
    w = await makeWorld(database());
    ({ input } = await applyCluster(w));
    await w.steps.begin(input, context);
    await w.work.release(input.cluster, input.holder);
  });

  it('is checked less and less often while its nodes do not become ready', async () => {
    await makeInfrastructureReady(w.objects);
    await w.steps.controlPlane(input, context);
    await w.steps.workers(input, context);
    const stuckFor = makeStuck(w, input);
    const { waits } = await stuckFor(HOUR / 10);
    expect(waits).toEqual([30, 30, 60, 120, 120]);
    await stuckFor(10 * HOUR);
    const { usdPerMonth } = await stuckFor(24 * HOUR);
    expect(usdPerMonth).toBeLessThan(0.4);
  });

  it('is checked less and less often while nothing can be created, and soon again after a change by a user', async () => {
    const stuckFor = makeStuck(w, input);
    expect((await stuckFor(900)).waits.slice(0, 4)).toEqual([1, 2, 4, 8]);
    await stuckFor(6 * HOUR);
    const { usdPerMonth, waits } = await stuckFor(24 * HOUR);
    expect(usdPerMonth).toBeLessThan(0.4);
    expect(Math.max(...waits)).toBeLessThanOrEqual(HOUR + SWEEP_SECONDS);
    await w.work.touch(input.cluster, { isNews: true });
    expect((await stuckFor(1)).waits).toEqual([1]);
  });

  it('is checked every five minutes while one of its machines is being deleted', async () => {
    await makeInfrastructureReady(w.objects);
    await w.steps.controlPlane(input, context);
    await w.steps.workers(input, context);
    const [machine] = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    w.clock.advance(5 * HOUR);
    await w.objects.delete(kinds.machine, { namespace: 'default', name: machine?.metadata.name ?? '' });
    w.clock.advance(5 * HOUR);
    expect((await makeStuck(w, input)(1)).waits).toEqual([300]);
  });
});
