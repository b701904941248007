import type { ResourceType, Tag, TagSpecification } from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';

const TAGS_PER_RESOURCE = 50;
const KEY_LENGTH = 127;
const VALUE_LENGTH = 255;

const checkTag = ({ Key = '', Value = '' }: Tag): void => {
  const refuse = (message: string) => new AwsFault('InvalidParameterValue', message);
  if (Key === '') throw refuse('Tag key cannot be null or empty');
  if (/^aws:/i.test(Key)) throw refuse(`Tag keys starting with 'aws:' are reserved for internal use`);
  if (Key.length > KEY_LENGTH) throw refuse(`Tag key exceeds the maximum length of ${KEY_LENGTH} characters`);
  if (Value.length > VALUE_LENGTH) throw refuse(`Tag value exceeds the maximum length of ${VALUE_LENGTH} characters`);
};

/** Adds tags to a resource by AWS's rules. Throws before anything is changed. */
export const addTags = (to: Map<string, string>, tags: readonly Tag[]): void => {
  for (const tag of tags) checkTag(tag);
  const merged = new Map([...to, ...tags.map(({ Key = '', Value = '' }) => [Key, Value] as const)]);
  if (merged.size > TAGS_PER_RESOURCE)
    throw new AwsFault('TagLimitExceeded', `More than ${TAGS_PER_RESOURCE} tags specified`);
  for (const [key, value] of merged) to.set(key, value);
};

/**
 * The tags that a create call sets on its resource of `type`. Throws if a specification is for a type that the call
 * does not create, or contains a key twice.
 */
export const tagsFor = (
  specifications: readonly TagSpecification[] | undefined,
  type: ResourceType,
  made: readonly ResourceType[] = [type],
): Map<string, string> => {
  const tags = new Map<string, string>();
  for (const { ResourceType: wanted, Tags = [] } of specifications ?? []) {
    if (!wanted || !made.includes(wanted))
      throw new AwsFault(
        'InvalidParameterValue',
        `'${wanted}' is not a valid taggable resource type for this operation.`,
      );
    const keys = Tags.map(({ Key }) => Key);
    const twice = keys.find((key, index) => keys.indexOf(key) !== index);
    if (twice !== undefined) throw new AwsFault('InvalidParameterValue', `Duplicate tag key '${twice}' specified.`);
    if (wanted === type) addTags(tags, Tags);
  }
  return tags;
};

/** Tags in a response; omitted if there are none, as EC2 does. */
export const tagList = (tags: ReadonlyMap<string, string>): Tag[] => [...tags].map(([Key, Value]) => ({ Key, Value }));
