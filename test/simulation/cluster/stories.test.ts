import { expect, it } from 'vitest';
import { appliedCluster } from './applied.ts';
import { STORIES, tell } from './stories.ts';

const fileOf = (title: string): string => `golden/${title.replaceAll(/\W+/g, '-')}.txt`;

it.each(STORIES)('a control plane $title', async (story) => {
  await expect(await tell(await appliedCluster(), story)).toMatchFileSnapshot(fileOf(story.title));
});
