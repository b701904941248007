import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  DeleteBucketCommand,
  GetBucketTaggingCommand,
  PutBucketPolicyCommand,
  PutBucketTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { isBucketNotEmpty, isNoBucket, isNoTagSet, isUntaggableBucket } from '../../../aws/errors.ts';
import { taggedIfPermitted } from '../../../aws/tagging.ts';
import { fromTagList, type Tags, toTagList } from '../tags.ts';

/** The calls of S3 for a cluster's bucket. AWS errors are passed on unchanged. */
export interface Buckets {
  /**
   * The tags of a bucket, empty if it has none; undefined if there is no such bucket. With `owner`, S3 refuses a bucket
   * of another account.
   */
  tags(name: string, owner?: string): Promise<Tags | undefined>;
  /** With the tags, if the caller may give them and the region's S3 takes them. */
  create(name: string, region: string, tags: Tags): Promise<void>;
  tag(name: string, tags: Tags): Promise<void>;
  setPolicy(name: string, policy: string): Promise<void>;
  /** `not-empty`: the bucket is kept. Succeeds if the bucket is gone. */
  delete(name: string): Promise<'deleted' | 'not-empty'>;
}

/** The region whose buckets are created without naming it. */
const FIRST_REGION = 'us-east-1';

/** The port, implemented with Amazon S3. */
export const createBuckets = (client: S3Client): Buckets => ({
  tags: async (name, owner) => {
    try {
      const input = { Bucket: name, ExpectedBucketOwner: owner };
      return fromTagList((await client.send(new GetBucketTaggingCommand(input))).TagSet);
    } catch (error) {
      if (isNoTagSet(error)) return {};
      if (isNoBucket(error)) return undefined;
      throw error;
    }
  },
  create: async (name, region, tags) => {
    const place = region === FIRST_REGION ? undefined : { LocationConstraint: region as BucketLocationConstraint };
    await taggedIfPermitted(
      () =>
        client.send(
          new CreateBucketCommand({ Bucket: name, CreateBucketConfiguration: { ...place, Tags: toTagList(tags) } }),
        ),
      () => client.send(new CreateBucketCommand({ Bucket: name, CreateBucketConfiguration: place })),
      isUntaggableBucket,
    );
  },
  tag: async (name, tags) => {
    await client.send(new PutBucketTaggingCommand({ Bucket: name, Tagging: { TagSet: toTagList(tags) } }));
  },
  setPolicy: async (name, policy) => {
    await client.send(new PutBucketPolicyCommand({ Bucket: name, Policy: policy }));
  },
  delete: async (name) => {
    try {
      await client.send(new DeleteBucketCommand({ Bucket: name }));
    } catch (error) {
      if (isBucketNotEmpty(error)) return 'not-empty';
      if (!isNoBucket(error)) throw error;
    }
    return 'deleted';
  },
});
