import { DescribeTagsCommand, type ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { fromTagList, type Tags } from '../tags.ts';

const ARNS_PER_CALL = 20;

/** The tags of load balancers, target groups and listeners by their ARNs, twenty in a call. */
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
