import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { closing } from './closing.ts';

/** In milliseconds: without the code under test, it takes longer. */
const PROMPT = 120_000;

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

it(
  'closes a server while a connection is in the middle of its TLS handshake',
  async () => {
    const server = createTlsServer({ handshakeTimeout: 2 * PROMPT });
    const close = closing(server);
    const port = await listen(server);
    const [client] = await Promise.all([connect(port, '127.0.0.1'), once(server, 'connection')]);
    await Promise.all([once(client, 'close'), close()]);
    expect(server.listening).toBe(false);
  },
  PROMPT,
);

it('closes a server with an upgraded connection', async () => {
  const server = createServer();
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  });
  const close = closing(server);
  const port = await listen(server);
  const client = request({ port, host: '127.0.0.1', headers: { connection: 'Upgrade', upgrade: 'echo' } }).end();
  const [, socket] = await once(client, 'upgrade');
  await Promise.all([once(socket, 'close'), close()]);
  expect(server.listening).toBe(false);
});
