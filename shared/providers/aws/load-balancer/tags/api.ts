import {
  AddTagsCommand,
  DescribeTagsCommand,
  type ElasticLoadBalancingV2Client,
  RemoveTagsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { fromTagList, type Tags, toTagList } from '../../tags.ts';

const ARNS_PER_CALL = 20;

/** The tags of load balancers, target groups and listeners by their ARNs, twenty per call. */
export const readTags = async (
  client: ElasticLoadBalancingV2Client,
  arns: readonly string[],
): Promise<ReadonlyMap<string, Tags>> => {
  const chunks = Array.from({ length: Math.ceil(arns.length / ARNS_PER_CALL) }, (_, index) =>
    arns.slice(index * ARNS_PER_CALL, (index + 1) * ARNS_PER_CALL),
  );
  const answers = await Promise.all(
    chunks.map((chunk) => client.send(new DescribeTagsCommand({ ResourceArns: chunk }))),
  );
  return new Map(
    answers
      .flatMap(({ TagDescriptions = [] }) => TagDescriptions)
      .map(({ ResourceArn = '', Tags }) => [ResourceArn, fromTagList(Tags)]),
  );
};

export interface TagReads {
  /** By ARN; AWS returns twenty per call. */
  describeTags(arns: readonly string[]): Promise<ReadonlyMap<string, Tags>>;
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
