export const STORIES = ['create', 'scale', 'roll', 'upgrade', 'heal', 'delete'] as const;

/** What a user does in a life, between its begin and its end. */
export type StoryName = (typeof STORIES)[number];

export const isStory = (text: string): text is StoryName => STORIES.includes(text as StoryName);

/** The steps of a life that a story is about, of so many steps with the deletion: from the first, to before the second. */
export const ownSteps = (story: StoryName, steps: number): [number, number] => {
  if (story === 'create') return [0, 1];
  return story === 'delete' ? [steps - 1, steps] : [1, steps - 1];
};
