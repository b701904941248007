import type { Tags } from '../../tags.ts';

/** Tags of existing load balancers and target groups. */

export type TagAction =
  | { type: 'AddTags'; arns: readonly string[]; tags: Tags }
  | { type: 'RemoveTags'; arns: readonly string[]; keys: readonly string[] };
