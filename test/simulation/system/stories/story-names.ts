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

/** What a user does in a lifecycle, between the creation and the deletion of the cluster. */
export type StoryName = (typeof STORIES)[number];

export const isStory = (text: string): text is StoryName => STORIES.includes(text as StoryName);

/** Stories whose cluster is not the quickstart. */
const OTHER_CLUSTERS: readonly StoryName[] = ['topology', 'rke2', 'flatcar', 'spoke'];

/** Stories in which no machine is replaced before it is gone. */
const WITHOUT_SURGE: readonly StoryName[] = ['create', 'scale', 'heal', 'services', 'delete'];

/** The number of additional machines during a rollout; 0 in stories without one. */
export const surgeOf = (story: StoryName): number => (WITHOUT_SURGE.includes(story) ? 0 : 1);

/**
 * The range of steps that a story covers, out of this number of steps including the deletion. The second number is
 * exclusive.
 */
export const ownSteps = (story: StoryName, steps: number): [number, number] => {
  if (story === 'create') return [0, 1];
  if (OTHER_CLUSTERS.includes(story)) return [0, steps - 1];
  if (story === 'vpc') return [0, steps];
  // Load balancers are deleted with the cluster.
  if (story === 'services') return [1, steps];
  return story === 'delete' ? [steps - 1, steps] : [1, steps - 1];
};
