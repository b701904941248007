import type * as sdk from '@aws-sdk/client-auto-scaling';
import { AwsFault } from '../../wire/fault.ts';
import type { Group } from '../records.ts';
import { validationError } from '../state.ts';

const TAGS_PER_GROUP = 50;

const checkTag = ({ Key = '', Value = '', ResourceType = 'auto-scaling-group' }: sdk.Tag): void => {
  if (Key === '' || Key.length > 128) throw validationError('A tag key must have between 1 and 128 characters.');
  if (Value.length > 256) throw validationError('A tag value must have at most 256 characters.');
  if (/^aws:/i.test(Key)) throw validationError('Tag keys must not begin with aws:, which is reserved.');
  if (ResourceType !== 'auto-scaling-group') throw validationError(`Unknown resource type: ${ResourceType}`);
};

/** Tags of the group `name`; if a call contains the same key twice, the last one is used. Throws AWS's faults. */
export const readTags = (name: string, tags: readonly sdk.Tag[], before: Group['tags'] = new Map()): Group['tags'] => {
  for (const tag of tags) {
    checkTag(tag);
    if ((tag.ResourceId ?? name) !== name)
      throw validationError(`The tag is for another Auto Scaling group, '${tag.ResourceId}'.`);
  }
  const merged = new Map(before);
  for (const { Key = '', Value = '', PropagateAtLaunch = false } of tags)
    merged.set(Key, { value: Value, propagates: PropagateAtLaunch });
  if (merged.size > TAGS_PER_GROUP)
    throw new AwsFault('LimitExceeded', `An Auto Scaling group can have at most ${TAGS_PER_GROUP} tags.`);
  return merged;
};
