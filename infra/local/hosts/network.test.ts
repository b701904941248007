import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { TEST_SUBNET } from '../../../shared/test-subnet.ts';
import { type HostNetwork, makeHostNetwork } from './network.ts';

const PORT = 16_443;

const servers: Server[] = [];
let network: HostNetwork;
afterEach(() => {
  network?.close();
  for (const server of servers.splice(0)) server.close();
});

/** A server that sends its name. */
const speaker = async (name: string): Promise<{ host: string; port: number }> => {
  const server = createServer((socket) => socket.on('error', () => {}).end(name));
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
};

const hear = async (host: string): Promise<string> => {
  const socket = connect(PORT, `${TEST_SUBNET}.${host}`);
  try {
    const [said] = await once(socket, 'data');
    return String(said);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    socket.destroy();
  }
};

it('forwards to each host at its own address, and to one host at a time at a virtual address', async () => {
  network = makeHostNetwork((host) => `${TEST_SUBNET}.${host}`, { clock: systemClock, log: silentLog });
  network.announce('1', [`${TEST_SUBNET}.100`]);
  network.announce('2', [`${TEST_SUBNET}.100`]);
  network.serve('1', PORT, await speaker('first'));
  network.serve('2', PORT, await speaker('second'));
  expect(await Promise.all(['1', '2', '100', '100'].map(hear))).toEqual(['first', 'second', 'first', 'first']);
  network.withdraw('1');
  expect(await Promise.all(['1', '2', '100'].map(hear))).toEqual(['ECONNREFUSED', 'second', 'second']);
  network.withdraw('2', PORT);
  expect(await Promise.all(['2', '100'].map(hear))).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
  network.announce('1', []);
  network.serve('1', PORT, await speaker('again'));
  expect(await Promise.all(['1', '100'].map(hear))).toEqual(['again', 'ECONNREFUSED']);
});
