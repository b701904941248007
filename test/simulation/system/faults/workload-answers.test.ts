import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { refuseAtServer } from './workload-answers.ts';

it.each([
  [429, 'Too many requests, please try again later.\n', '1'],
  [503, expect.stringContaining('"reason":"Unavailable"'), undefined],
])('answers a request that is not sent with %i', async (status, text, after) => {
  const received: unknown[] = [];
  const server = createServer((incoming) => received.push(incoming.url));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path: '/api/v1/nodes/a', method: 'PATCH' });
  const answered = new Promise<object>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      const body = (await answer.toArray()).join('');
      resolve({ code: answer.statusCode, after: answer.headers['retry-after'], body });
    });
  });
  refuseAtServer(sent, { code: 'Unavailable', status, message: 'An error has occurred.' });
  expect(await answered).toEqual({ code: status, after, body: text });
  expect(received).toEqual([]);
  server.closeAllConnections();
  server.close();
});
