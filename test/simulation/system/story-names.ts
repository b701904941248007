export const STORIES = ['create', 'scale', 'roll', 'heal'] as const;

/** What a user does in a life, between its begin and its end. */
export type StoryName = (typeof STORIES)[number];

export const isStory = (text: string): text is StoryName => STORIES.includes(text as StoryName);
