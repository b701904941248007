import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { inProcess } from './in-process.ts';

it('hands a request to a server that does not listen, and its answer back', async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = [
        request.method,
        request.url,
        request.headers['x-amz-target'],
        Buffer.concat(chunks).toString('hex'),
      ];
      response.writeHead(418, { 'x-own': 'yes' });
      response.end(JSON.stringify(seen));
    });
  });

  const answer = await inProcess(server)({
    method: 'POST',
    url: new URL('http://host/path?q=1'),
    headers: { 'x-amz-target': 'T', 'content-length': '2' },
    body: Buffer.from([0xff, 0x00]),
    scope: { accessKeyId: 'a', region: 'r', service: 's', presigned: false },
    requestId: 'id',
  });

  expect(answer.status).toBe(418);
  expect(answer.headers['x-own']).toBe('yes');
  expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual(['POST', '/path?q=1', 'T', 'ff00']);
});
