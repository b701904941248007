import {
  type CreateBucketCommand,
  DeleteBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Client } from '../../../../shared/aws/clients/s3.ts';
import { isThrottling } from '../../../../shared/aws/errors.ts';
import { createBootstrapObjects } from '../../../../shared/providers/aws/api/bootstrap-objects.ts';
import { createBuckets } from '../../../../shared/providers/aws/api/buckets.ts';
import { makeRemote } from '../../machines/aws-remote.ts';
import { startTestAws, type TestAws } from '../../test-aws.ts';

const TAGS = { a: '<&">', 'sigs.k8s.io/x': 'owned' };

describe('the simulated S3', () => {
  let aws: TestAws;
  let client: S3Client;
  beforeAll(async () => {
    aws = await startTestAws();
    client = createS3Client(aws.client);
  });
  afterAll(() => aws.aws.close());

  it('reports an injected error in the form of S3, which clients recognize', async () => {
    aws.account.failNext('s3', '*', { code: 'SlowDown', status: 503 });
    const put = client.send(new PutObjectCommand({ Bucket: 'any-bucket', Key: 'a', Body: 'text' }));
    const error: unknown = await put.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'SlowDown', message: 'injected' });
    expect(isThrottling(error)).toBe(true);
  });

  it('creates a bucket, keeps its tags and its policy, and deletes the bucket when it is empty', async () => {
    const buckets = createBuckets(client);
    expect(await buckets.tags('first')).toBeUndefined();
    await buckets.create('first', 'us-east-1', {});
    await buckets.create('first', 'us-east-1', {});
    expect(await buckets.tags('first')).toEqual({});
    await buckets.tag('first', TAGS);
    await buckets.setPolicy('first', '{"Statement":[]}');
    expect(await buckets.tags('first')).toEqual(TAGS);
    expect(await buckets.tags('first', aws.account.accountId)).toEqual(TAGS);
    await expect(buckets.tags('first', '999999999999')).rejects.toMatchObject({ name: 'AccessDenied' });
    expect(await buckets.tags('no-such-bucket', '999999999999')).toBeUndefined();
    await expect(buckets.setPolicy('first', 'x')).rejects.toMatchObject({ name: 'MalformedPolicy' });
    await client.send(new PutObjectCommand({ Bucket: 'first', Key: 'a/b', Body: 'x' }));
    expect(await buckets.delete('first')).toBe('not-empty');
    await createBootstrapObjects(client).delete({ bucket: 'first', key: 'a/b' });
    expect(await buckets.delete('first')).toBe('deleted');
    expect(await buckets.delete('first')).toBe('deleted');
  });

  it('creates a bucket with tags', async () => {
    const buckets = createBuckets(client);
    await buckets.create('tagged', 'us-east-1', TAGS);
    expect(await buckets.tags('tagged')).toEqual(TAGS);
  });

  it.each([
    ['a caller that may not set tags', 'AccessDenied'],
    ['a region that does not support them', 'UnsupportedArgument'],
    ['a service that only resembles S3', 'MalformedXML'],
  ])('creates a bucket without tags for %s', async (_, name) => {
    const refused = Object.assign(new Error('no'), { name, $metadata: {}, $fault: 'client' });
    const send = (command: CreateBucketCommand) =>
      command.input.CreateBucketConfiguration?.Tags ? Promise.reject(refused) : client.send(command);
    const bucket = `bare-${name.toLowerCase()}`;
    await createBuckets({ send } as unknown as S3Client).create(bucket, 'us-east-1', TAGS);
    expect(await createBuckets(client).tags(bucket)).toEqual({});
  });

  it('creates buckets in the requested region, once', async () => {
    const west = createS3Client({ ...aws.client, region: 'us-west-2' });
    const buckets = createBuckets(west);
    await buckets.create('in-the-west', 'us-west-2', {});
    await expect(buckets.create('in-the-west', 'us-west-2', {})).rejects.toMatchObject({
      name: 'BucketAlreadyOwnedByYou',
    });
    await expect(buckets.create('elsewhere', 'eu-west-1', {})).rejects.toMatchObject({
      name: 'IllegalLocationConstraintException',
    });
    await west.send(new DeleteBucketCommand({ Bucket: 'in-the-west' }));
  });

  it('denies access to a bucket of another account, and redirects to the region of a bucket elsewhere', async () => {
    const createdAt = new Date(0);
    const foreign = { name: 'foreign', region: 'us-east-1', createdAt, ownerId: '999999999999' };
    aws.account.s3.buckets.set('foreign', { ...foreign, tags: new Map(), policy: undefined, objects: new Map() });
    const west = createBuckets(createS3Client({ ...aws.client, region: 'us-west-2' }));
    await west.create('only-in-the-west', 'us-west-2', {});
    const buckets = createBuckets(client);

    await expect(buckets.tags('foreign')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(buckets.tags('foreign', '999999999999')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(buckets.create('foreign', 'us-east-1', {})).rejects.toMatchObject({ name: 'BucketAlreadyExists' });
    await expect(buckets.tags('only-in-the-west')).rejects.toMatchObject({ name: 'PermanentRedirect' });
    expect(await west.tags('only-in-the-west')).toEqual({});
  });

  it("refuses requests in a region other than the bucket's, and names the bucket's region", async () => {
    const west = { ...aws.client, region: 'us-west-2' };
    await createBuckets(client).create('in-the-east', 'us-east-1', {});
    await client.send(new PutObjectCommand({ Bucket: 'in-the-east', Key: 'a', Body: 'x' }));
    const object = new GetObjectCommand({ Bucket: 'in-the-east', Key: 'a' });
    await expect(createS3Client(west).send(object)).rejects.toMatchObject({ name: 'PermanentRedirect' });
    const { Body } = await createS3Client({ ...west, followRegionRedirects: true }).send(object);
    expect(await Body?.transformToString()).toBe('x');
  });

  it('serves objects to machines, by their role or by a temporary URL', async () => {
    await createBuckets(client).create('objects', 'us-east-1', {});
    const objects = createBootstrapObjects(client);
    const place = { bucket: 'objects', key: 'node/a b-1' };
    await objects.put({ ...place, body: Buffer.from('«text»') });
    const remote = makeRemote(client);
    const read = async (url: string) => Buffer.from(await remote.fetch(url)).toString('utf8');

    expect(await read('s3://objects/node/a b-1')).toBe('«text»');
    expect(await read(await objects.presign({ ...place, seconds: 60 }))).toBe('«text»');
    const signingDate = new Date('2020-01-01T00:00:00Z');
    const old = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'objects', Key: 'x' }), { signingDate });
    await expect(read(old)).rejects.toThrow('403');
    await expect(read('s3://objects/node/none')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(read('https://example.com/?X-Amz-Signature=x')).rejects.toThrow('reach nothing but S3');
    expect(aws.account.s3.buckets.get('objects')?.objects.get('node/a b-1')?.encryption).toBe('aws:kms');
  });

  it('names what it does not simulate', async () => {
    await expect(client.send(new ListObjectsV2Command({ Bucket: 'objects' }))).rejects.toThrow(
      's3: GET of a bucket with list-type is not simulated',
    );
  });
});
