import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeHandClock, makeSeededRandom } from '../../test-aws.ts';
import type { WireResponse } from '../wire/call.ts';
import type { ReceivedRequest } from '../wire/server.ts';
import { type Invoker, makeInvoker } from './invoker.ts';

let invoker: Invoker | undefined;

afterEach(async () => {
  await invoker?.stop();
});

/** Nothing listens there. */
const ENDPOINT = 'http://127.0.0.1:1';

/** A function with clients of the SDK, in an account in which `answer` answers. */
const start = (source: string, answer: (request: ReceivedRequest) => WireResponse) => {
  const file = join(mkdtempSync(join(tmpdir(), 'windlass-direct-')), 'index.mjs');
  writeFileSync(
    file,
    `import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(import.meta.filename)});
    const { DynamoDBClient, GetItemCommand } = require('@aws-sdk/client-dynamodb');
    const { GetObjectCommand, PutObjectCommand, S3Client } = require('@aws-sdk/client-s3');
    const options = { maxAttempts: 1, forcePathStyle: true };
    ${source}`,
  );
  const spec = {
    ...{ name: 'f', arn: 'arn:aws:lambda:us-east-1:000000000000:function:f', file, exported: 'handler' },
    ...{ environment: {}, timeoutSeconds: 60, memoryMegabytes: 128 },
  };
  const requests: ReceivedRequest[] = [];
  const logs: string[] = [];
  const shared = {
    ...{ AWS_ENDPOINT_URL: ENDPOINT, AWS_REGION: 'us-east-1' },
    ...{ AWS_ACCESS_KEY_ID: '000000000000', AWS_SECRET_ACCESS_KEY: 'none' },
  };
  const made = makeInvoker(
    { functions: [spec], shared },
    {
      clock: makeHandClock(),
      random: makeSeededRandom('test'),
      onLog: (_, text) => logs.push(text),
      onInvoked: () => {},
      aws: {
        answer: async (request) => {
          requests.push(request);
          return answer(request);
        },
      },
    },
  );
  invoker = made;
  return { invoker: made, requests, logs };
};

const ASK = `export const handler = async () => {
  const { Item } = await new DynamoDBClient(options).send(new GetItemCommand({ TableName: 't', Key: { k: { S: 'ü' } } }));
  return Item;
};`;

it('passes on a request and its response unchanged, with the name of the function', async () => {
  const { invoker, requests } = start(ASK, () => ({
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from('{"Item":{"k":{"S":"ä"}}}'),
  }));
  expect(await invoker.invoke('f', {})).toEqual({ k: { S: 'ä' } });
  expect(requests).toHaveLength(1);
  const [{ method, url, headers, body } = {} as ReceivedRequest] = requests;
  expect([method, url.href, JSON.parse(body.toString())]).toEqual([
    'POST',
    `${ENDPOINT}/`,
    { TableName: 't', Key: { k: { S: 'ü' } } },
  ]);
  expect(headers).toMatchObject({
    'x-windlass-function': 'f',
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    authorization: expect.stringContaining('/us-east-1/dynamodb/aws4_request'),
  });
});

it('passes on errors of AWS', async () => {
  const { invoker } = start(ASK, () => ({
    status: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: '{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"no table"}',
  }));
  await expect(invoker.invoke('f', {})).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

it('passes on the bytes of objects', async () => {
  const { invoker, requests } = start(
    `export const handler = async () => {
      const client = new S3Client(options);
      await client.send(new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: new Uint8Array([0, 255, 128]) }));
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'b', Key: 'k' }));
      return [...(await Body.transformToByteArray())];
    };`,
    ({ method }) => ({ status: 200, headers: {}, body: method === 'GET' ? Buffer.from([1, 254, 127]) : '' }),
  );
  expect(await invoker.invoke('f', {})).toEqual([1, 254, 127]);
  expect(requests.map(({ method, url }) => [method, url.pathname])).toEqual([
    ['PUT', '/b/k'],
    ['GET', '/b/k'],
  ]);
  expect(requests[0]?.body.includes(Buffer.from([0, 255, 128]))).toBe(true);
});

it('ends a request without a response like a closed connection, and logs the reason', async () => {
  const { invoker, logs } = start(ASK, () => {
    throw new Error('lost');
  });
  await expect(invoker.invoke('f', {})).rejects.toThrow('socket hang up');
  expect(logs.join('')).toContain('could not be answered: Error: lost');
});

it('sends requests to other addresses over the network', async () => {
  const { invoker, requests } = start(
    `export const handler = async () => {
      const client = new DynamoDBClient({ ...options, endpoint: 'http://127.0.0.1:2' });
      await client.send(new GetItemCommand({ TableName: 't', Key: { k: { S: 'v' } } }));
    };`,
    () => ({ status: 200, headers: {}, body: '{}' }),
  );
  await expect(invoker.invoke('f', {})).rejects.toThrow('ECONNREFUSED');
  expect(requests).toEqual([]);
});
