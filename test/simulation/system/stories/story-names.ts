export const STORIES = [
  'create',
  'scale',
  'roll',
  'upgrade',
  'heal',
  'machines',
  'pool',
  'topology',
  'rke2',
  'services',
  'flatcar',
  'vpc',
  'spoke',
  'delete',
] as const;

/** What a user does in a lifecycle, between its creation and its deletion. */
export type StoryName = (typeof STORIES)[number];

export const isStory = (text: string): text is StoryName => STORIES.includes(text as StoryName);

/** With a cluster that is not that of the quickstart. */
const OTHER_CLUSTERS: readonly StoryName[] = ['topology', 'rke2', 'flatcar', 'spoke'];

/**
 * The steps of a lifecycle that a story covers, of this many steps including the deletion: from the first, to before
 * the second.
 */
export const ownSteps = (story: StoryName, steps: number): [number, number] => {
  if (story === 'create') return [0, 1];
  if (OTHER_CLUSTERS.includes(story)) return [0, steps - 1];
  if (story === 'vpc') return [0, steps];
  // Load balancers are removed with the cluster.
  if (story === 'services') return [1, steps];
  return story === 'delete' ? [steps - 1, steps] : [1, steps - 1];
};
