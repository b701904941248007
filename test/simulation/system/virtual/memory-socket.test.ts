import { describe, expect, test } from 'vitest';
import { MemorySocket } from './memory-socket.ts';

/** The two ends of a connection. Packets arrive when `arrive` is called. */
const connect = () => {
  let now = 0;
  const due: (() => void)[] = [];
  const line = { now: () => now, carry: (act: () => void) => void due.push(act) };
  const client = new MemorySocket({ remote: 1, local: 2 }, line);
  const server = new MemorySocket({ remote: 2, local: 1 }, line);
  client.join(server);
  server.join(client);
  const received: string[] = [];
  server.on('data', (bytes: Buffer) => void received.push(bytes.toString()));
  const arrive = async (): Promise<string[]> => {
    for (const act of due.splice(0)) {
      act();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return received;
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { client, pass, arrive };
};

describe('a connection inside the process', () => {
  test('carries what is written at one moment in one packet, however it is divided', async () => {
    const { client, arrive } = connect();
    client.write('first ');
    await new Promise((resolve) => setImmediate(resolve));
    client.write('second');
    expect(await arrive()).toEqual(['first second']);
  });

  test('carries what is written at a later moment in another packet', async () => {
    const { client, pass, arrive } = connect();
    client.write('first');
    pass(1);
    client.write('second');
    expect(await arrive()).toEqual(['first', 'second']);
  });
});
