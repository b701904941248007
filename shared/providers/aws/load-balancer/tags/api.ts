import {
  AddTagsCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingV2Client,
  RemoveTagsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { isNotFound } from '../../../../aws/errors.ts';
import { mapConcurrently } from '../../../../store/concurrency.ts';
import { fromTagList, type Tags, toTagList } from '../../tags.ts';

const ARNS_PER_CALL = 20;
const AT_ONCE = 6;

type TagsByArn = ReadonlyMap<string, Tags>;

const describeTags = async (
  client: ElasticLoadBalancingV2Client,
  ResourceArns: string[],
): Promise<[arn: string, Tags][]> => {
  const { TagDescriptions = [] } = await client.send(new DescribeTagsCommand({ ResourceArns }));
  return TagDescriptions.map(({ ResourceArn = '', Tags }) => [ResourceArn, fromTagList(Tags)]);
};

/** ELB gives no tags at all if one of the resources is gone, so each is then asked for alone. */
const describePresent = async (
  client: ElasticLoadBalancingV2Client,
  arns: string[],
): Promise<[arn: string, Tags][]> => {
  try {
    return await describeTags(client, arns);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (arns.length === 1) return [];
    const found = await mapConcurrently(arns, AT_ONCE, (arn) => describePresent(client, [arn]));
    return found.flat();
  }
};

const inChunks = async (
  arns: readonly string[],
  read: (chunk: string[]) => Promise<[arn: string, Tags][]>,
): Promise<TagsByArn> => {
  const chunks = Array.from({ length: Math.ceil(arns.length / ARNS_PER_CALL) }, (_, index) =>
    arns.slice(index * ARNS_PER_CALL, (index + 1) * ARNS_PER_CALL),
  );
  return new Map((await Promise.all(chunks.map(read))).flat());
};

/**
 * The tags of load balancers, target groups and listeners by their ARNs, twenty per call. Throws NotFound if one of them
 * does not exist.
 */
export const readTags = (client: ElasticLoadBalancingV2Client, arns: readonly string[]): Promise<TagsByArn> =>
  inChunks(arns, (chunk) => describeTags(client, chunk));

/** Like readTags, but without the resources that were deleted after they were listed. */
export const readPresentTags = (client: ElasticLoadBalancingV2Client, arns: readonly string[]): Promise<TagsByArn> =>
  inChunks(arns, (chunk) => describePresent(client, chunk));

export interface TagReads {
  /** By ARN; AWS returns twenty per call. */
  describeTags(arns: readonly string[]): Promise<TagsByArn>;
}

export interface TagWrites {
  addTags(arns: readonly string[], tags: Tags): Promise<void>;
  removeTags(arns: readonly string[], keys: readonly string[]): Promise<void>;
}

export const tagReads = (client: ElasticLoadBalancingV2Client): TagReads => ({
  describeTags: (arns) => readTags(client, arns),
});

export const tagWrites = (client: ElasticLoadBalancingV2Client): TagWrites => ({
  addTags: async (arns, tags) => {
    await client.send(new AddTagsCommand({ ResourceArns: [...arns], Tags: toTagList(tags) }));
  },
  removeTags: async (arns, keys) => {
    await client.send(new RemoveTagsCommand({ ResourceArns: [...arns], TagKeys: [...keys] }));
  },
});
