import type { RecordedLaptop } from '../recording.ts';
import { ADDRESS_STORIES } from './addresses.ts';
import { BROUGHT_STORIES } from './brought.ts';
import { extension } from './extension.ts';
import { IDENTITY_STORIES } from './identities.ts';
import { MACHINE_STORIES } from './machines.ts';
import { POOL_STORIES } from './pools.ts';
import { quickstart } from './quickstart.ts';
import { spotStory } from './spot.ts';
import type { Story } from './story.ts';
import { flatcar } from './workload.ts';

/** Stories that together cause all calls that the functions may make. */
const STORIES: readonly Story[] = [
  quickstart,
  flatcar,
  spotStory,
  extension,
  ...ADDRESS_STORIES,
  ...BROUGHT_STORIES,
  ...IDENTITY_STORIES,
  ...MACHINE_STORIES,
  ...POOL_STORIES,
];

/** Runs all stories concurrently, which takes only as long as the longest one. */
export const tellAll = async (laptop: RecordedLaptop): Promise<void> => {
  const told = await Promise.allSettled(STORIES.map(({ run }) => run(laptop)));
  const failed = told.flatMap((one, index) =>
    one.status === 'rejected' ? [`story ${STORIES[index]?.name}: ${String(one.reason)}`] : [],
  );
  if (failed.length > 0) throw new Error(failed.join('\n'));
};
