import { request as httpRequest } from 'node:http';
import {
  HeadBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { requestOf, restOperation } from './effects.ts';

interface Signed {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
}

/** Collects the signed requests of a client, and ends each call. */
const signedBy = async (send: (client: S3Client) => Promise<unknown>): Promise<Signed> => {
  let signed: Signed | undefined;
  const requestHandler: S3ClientConfig['requestHandler'] = {
    handle: async (request: Signed) => {
      signed = request;
      throw new Error('no network here');
    },
  } as never;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const endpoint = 'http://simulated.invalid';
  const client = new S3Client({ region: 'us-east-1', credentials, endpoint, requestHandler, forcePathStyle: true });
  await send(client).catch(() => undefined);
  if (signed === undefined) throw new Error('nothing was sent');
  return signed;
};

const Bucket = 'a-bucket';

it.each<[string, boolean, (client: S3Client) => Promise<unknown>]>([
  ['PutObject', true, (client) => client.send(new PutObjectCommand({ Bucket, Key: 'a/b', Body: 'text' }))],
  ['PUT policy', true, (client) => client.send(new PutBucketPolicyCommand({ Bucket, Policy: '{}' }))],
  ['HEAD bucket', false, (client) => client.send(new HeadBucketCommand({ Bucket }))],
])('names the request %s of S3 alike where it is sent and where AWS receives it', async (name, isEffect, send) => {
  const { method, path, query, headers } = await signedBy(send);
  const url = `${path}?${new URLSearchParams(query)}`;
  const sent = httpRequest({ host: '127.0.0.1', method, path: url, headers });
  sent.on('error', () => undefined);
  expect(requestOf(sent, '')).toEqual({ name: `s3:${name}`, isEffect, isAws: true });
  sent.destroy();
  expect(restOperation('s3', method, url)).toBe(name);
});
