import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { inProcess } from './in-process.ts';
import type { ReceivedRequest } from './server.ts';

const request: ReceivedRequest = {
  method: 'POST',
  url: new URL('http://host/path?q=1'),
  headers: { 'x-amz-target': 'T', 'content-length': '2' },
  body: Buffer.from([0xff, 0x00]),
};

/** A server that answers with the body of the request. */
const reading = () =>
  createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const body = Buffer.concat(chunks).toString('hex');
      response.statusCode = 418;
      response.setHeader('X-Own', 1);
      response.end(JSON.stringify([message.method, message.url, message.headers['x-amz-target'], body]));
    });
  });

it('passes a request to a server that does not listen, and returns its response', async () => {
  const { status, headers, body } = await inProcess(reading())(request);

  expect({ status, headers }).toEqual({ status: 418, headers: { 'x-own': '1' } });
  expect(JSON.parse(String(body))).toEqual(['POST', '/path?q=1', 'T', 'ff00']);
});

it('passes on a request without a body', async () => {
  const { body } = await inProcess(reading())({ ...request, body: Buffer.alloc(0) });
  expect(JSON.parse(String(body))).toEqual(['POST', '/path?q=1', 'T', '']);
});

it('rejects if the server throws', async () => {
  const server = createServer((message) => {
    message.on('end', () => {
      throw new Error('broken');
    });
  });
  await expect(inProcess(server)(request)).rejects.toThrow('broken');
});
