import type { Tags } from '../../tags.ts';

/** Tags of load balancers and target groups that are there already. */

export type TagAction =
  | { type: 'AddTags'; arns: readonly string[]; tags: Tags }
  | { type: 'RemoveTags'; arns: readonly string[]; keys: readonly string[] };
