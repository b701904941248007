import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { startUpstream, type Upstream } from '../conditions/upstream.ts';
import { createAll, manifestsFor } from './manifests.ts';
import { change } from './objects.ts';
import { REFUSALS, refusalOf } from './refusals.ts';
import { isAtRest, readState, type State } from './state.ts';
import { STEPS } from './steps.ts';

const assets = process.env.KUBEBUILDER_ASSETS;
const programs = process.env.WINDLASS_MANAGERS;
const LOOK_MILLISECONDS = 500;

// One story, told in order.
describe.skipIf(!assets || !programs)('a managed topology', { timeout: LIMIT }, () => {
  let laptop: TestLaptop;
  let upstream: Upstream;
  let before: State | undefined;

  const look = () => Promise.all([readState(upstream.api, 'Dev'), readState(laptop.api, 'AWS')]);

  /**
   * Reads both until upstream has changed something, both are at rest and agree. Compares what was read last where they
   * never do.
   */
  const compareAtRest = async (reason: string): Promise<[State, State]> => {
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    for (;;) {
      const [theirs, ours] = await look();
      const areAtRest = isAtRest(theirs, reason) && isAtRest(ours, reason);
      const isNews = !isDeepStrictEqual(theirs.objects, before?.objects);
      const agree = isDeepStrictEqual([ours.objects, ours.progress], [theirs.objects, theirs.progress]);
      const isTidy = ours.templates <= theirs.templates;
      if ((areAtRest && isNews && agree && isTidy) || Date.now() > end) {
        before = theirs;
        return [theirs, ours];
      }
      await systemClock.sleep(LOOK_MILLISECONDS);
    }
  };

  const compare = async (reason = 'ReconcileSucceeded'): Promise<void> => {
    const [theirs, ours] = await compareAtRest(reason);
    expect(ours.progress).toEqual(theirs.progress);
    expect(ours.objects).toEqual(theirs.objects);
    expect(ours.progress.reconciled).toContain(reason);
    expect(ours.templates).toBeLessThanOrEqual(theirs.templates);
  };

  beforeAll(async () => {
    const start = startUpstream(assets ?? '', programs ?? '', ['ClusterTopology']);
    [laptop, upstream] = await Promise.all([startTestLaptop(), start]);
    await Promise.all([createAll(laptop.api, manifestsFor('AWS')), createAll(upstream.api, manifestsFor('Dev'))]);
  }, LIMIT);
  afterAll(async () => {
    await Promise.all([laptop?.stop(), upstream?.stop()]);
  }, LIMIT);

  it('becomes the objects that upstream makes of it', async () => {
    await compare();
  });

  it.each(REFUSALS)('refuses $what in the words of upstream', async (refusal) => {
    const [theirs, ours] = await Promise.all([refusalOf(upstream.api, refusal), refusalOf(laptop.api, refusal)]);
    expect(theirs).not.toBe('nothing');
    expect(ours).toBe(theirs);
  });

  it.each(STEPS)('follows $what as upstream does', async (step) => {
    await Promise.all([change(laptop.api, step), change(upstream.api, step)]);
    await compare(step.reason);
  });
});
