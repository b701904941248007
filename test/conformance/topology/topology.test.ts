import { afterAll, beforeAll, describe, it } from 'vitest';
import { startUpstream, type Upstream } from '../../../infra/cli/conformance/upstream/upstream.ts';
import { mapConcurrently } from '../../../shared/store/concurrency.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import type { Sides } from './compare.ts';
import { installKinds } from './kinds.ts';
import { type Act, actsOf } from './play.ts';
import { STORIES } from './stories.ts';
import type { Story } from './story.ts';

const assets = process.env.KUBEBUILDER_ASSETS;
const programs = process.env.WINDLASS_MANAGERS;

/** Annotations that hold upgrades back are evaluated only if there may be extensions. */
const FEATURES = ['ClusterTopology', 'MachineTaintPropagation', 'RuntimeSDK'];

/** Well below the time limit of a test, unlike upstream's default of ten minutes. */
const SYNC_PERIOD = ['--sync-period=2m'];

/** If upstream misses an event, it continues at its next sync, before the test times out. */
const FLAGS = { core: SYNC_PERIOD, bootstrap: SYNC_PERIOD, 'control-plane': SYNC_PERIOD };

/** Kinds that the stories and upstream's classes also use in v1beta1. */
const CONVERTED = [
  'clusters',
  'clusterclasses',
  'kubeadmconfigtemplates',
  'kubeadmcontrolplanes',
  'kubeadmcontrolplanetemplates',
];

/**
 * Enough concurrent stories to keep two cores busy. Stories with machines come first, because they spend time waiting
 * for them.
 */
const AT_ONCE = 6;

/** A placeholder for the servers, because the names of the acts are needed before the servers run. */
const NOWHERE = {} as Sides;

describe.skipIf(!assets || !programs)('managed topologies', () => {
  let laptop: TestLaptop;
  let upstream: Upstream;
  let all: Promise<unknown> | undefined;
  /** Each test waits for the outcome of its own act, so that the stories can run concurrently. */
  const outcomes = new Map(
    STORIES.map((story) => [story, actsOf(story, NOWHERE).map(() => Promise.withResolvers<void>())]),
  );

  const tell = async (story: Story, acts: readonly Act[]): Promise<void> => {
    let failed: string | undefined;
    for (const [index, { what, play, isByTheWay }] of acts.entries()) {
      const outcome = outcomes.get(story)?.[index];
      if (failed !== undefined) {
        outcome?.reject(new Error(`not tried, because the story has ended where it ${failed}`));
        continue;
      }
      // The act's own test reports the failure. The other stories continue.
      const played = play().catch((error: unknown) => {
        if (!isByTheWay) failed = what;
        throw error;
      });
      outcome?.resolve(played);
      await played.catch(() => {});
    }
  };

  beforeAll(async () => {
    for (const { promise } of [...outcomes.values()].flat()) promise.catch(() => {});
    const options = { features: FEATURES, flags: FLAGS, converts: CONVERTED };
    const started = startUpstream(assets ?? '', programs ?? '', options);
    [laptop, upstream] = await Promise.all([startTestLaptop(), started]);
    await installKinds(upstream.api, laptop.api);
    all = mapConcurrently(STORIES, AT_ONCE, (story) => {
      const theirs = { api: upstream.api, provider: story.upstream };
      return tell(story, actsOf(story, { upstream: theirs, laptop: { api: laptop.api, provider: 'AWS' } }));
    });
  }, LIMIT);
  afterAll(async () => {
    await all;
    await Promise.all([laptop?.stop(), upstream?.stop()]);
  }, LIMIT);

  describe.each(STORIES)('$name: $about', { timeout: LIMIT }, (story) => {
    it.each(actsOf(story, NOWHERE).map(({ what }, index) => ({ what, index })))('$what', async ({ index }) => {
      await outcomes.get(story)?.[index]?.promise;
    });
  });
});
