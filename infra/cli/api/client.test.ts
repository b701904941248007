import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { exchange } from './client.ts';

let server: Server;
const agent = new Agent({ keepAlive: true });
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
  server.close();
});

/** A server that resets the second request of each connection; counts what it receives. */
const listen = async (): Promise<{ url: URL; received: string[] }> => {
  const received: string[] = [];
  const used = new Set<Socket>();
  server = createServer((incoming, outgoing) => {
    received.push(incoming.method ?? '');
    if (used.has(incoming.socket)) incoming.socket.resetAndDestroy();
    else outgoing.end('an answer');
    used.add(incoming.socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), received };
};

it('repeats a GET that was reset on a reused connection', async () => {
  const { url, received } = await listen();
  const get = () => exchange(url, { agent, method: 'GET' }, undefined);
  expect(await get()).toEqual({ code: 200, text: 'an answer' });
  expect(await get()).toEqual({ code: 200, text: 'an answer' });
  expect(received).toEqual(['GET', 'GET', 'GET']);
});

it('does not repeat a POST, which may have taken effect', async () => {
  const { url, received } = await listen();
  const post = () => exchange(url, { agent, method: 'POST' }, '{}');
  await post();
  await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(received).toEqual(['POST', 'POST']);
});
