import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { type Elb, getListener, getLoadBalancer, getTargetGroup } from './state.ts';

const TAGS_PER_RESOURCE = 50;

/** Adds tags by AWS's rules. Throws before anything is changed. */
export const addTags = (to: Map<string, string>, tags: readonly sdk.Tag[]): void => {
  const keys = tags.map(({ Key }) => Key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new AwsFault('DuplicateTagKeys', `Tag key '${twice}' was specified more than once`);
  for (const { Key = '' } of tags)
    if (/^aws:/i.test(Key) || Key === '' || Key.length > 128)
      throw new AwsFault('ValidationError', `Tag key '${Key}' is not valid`);
  const merged = new Map([...to, ...tags.map(({ Key = '', Value = '' }) => [Key, Value] as const)]);
  if (merged.size > TAGS_PER_RESOURCE)
    throw new AwsFault('TooManyTags', `A resource can have at most ${TAGS_PER_RESOURCE} tags`);
  for (const [key, value] of merged) to.set(key, value);
};

/** The tags of a create call. */
export const tagsOf = (tags: readonly sdk.Tag[] | undefined): Map<string, string> => {
  const map = new Map<string, string>();
  addTags(map, tags ?? []);
  return map;
};

const taggedResource = (elb: Elb, arn: string): { readonly tags: Map<string, string> } => {
  if (arn.includes(':loadbalancer/')) return getLoadBalancer(elb, arn);
  if (arn.includes(':targetgroup/')) return getTargetGroup(elb, arn);
  if (arn.includes(':listener/')) return getListener(elb, arn);
  throw new AwsFault('ValidationError', `'${arn}' is not a valid load balancing ARN`);
};

/** Tags of load balancers, target groups and listeners. */
export const tagActions = (elb: Elb): Handlers<typeof sdk> => ({
  AddTags: ({ ResourceArns = [], Tags = [] }) => {
    const resources = ResourceArns.map((arn) => taggedResource(elb, arn));
    for (const { tags } of resources) addTags(tags, Tags);
    return {};
  },
  RemoveTags: ({ ResourceArns = [], TagKeys = [] }) => {
    const resources = ResourceArns.map((arn) => taggedResource(elb, arn));
    for (const { tags } of resources) for (const key of TagKeys) tags.delete(key);
    return {};
  },
  DescribeTags: ({ ResourceArns = [] }) => {
    if (ResourceArns.length > 20) throw new AwsFault('ValidationError', 'At most 20 resource ARNs can be specified');
    return {
      TagDescriptions: ResourceArns.map((arn) => ({
        ResourceArn: arn,
        Tags: [...taggedResource(elb, arn).tags].map(([Key, Value]) => ({ Key, Value })),
      })),
    };
  },
});
