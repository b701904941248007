import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { PATIENCE } from '../../../shared/test-patience.ts';
import { TEST_SUBNET } from '../../../shared/test-subnet.ts';
import { openFrontDoor } from './front-door.ts';

const HOST = `${TEST_SUBNET}.1`;

// Only Linux answers on all of 127.0.0.0/8 without configuration.
it.runIf(process.platform === 'linux')('listens as soon as another program no longer uses its address', async () => {
  const other = createServer();
  await once(other.listen(0, HOST), 'listening');
  const { port } = other.address() as AddressInfo;
  const reports: string[] = [];
  let retry = (): void => {};
  let attempts = 0;
  const failed = () => {
    attempts += 1;
    return new Promise<void>((resolve) => {
      retry = resolve;
    });
  };
  const log = { error: (text: string) => void reports.push(text) } as never;
  const door = openFrontDoor({ host: HOST, port }, async () => [], { clock: { sleep: failed }, log });
  await expect.poll(() => attempts, PATIENCE).toBe(1);
  retry();
  await expect.poll(() => attempts, PATIENCE).toBe(2);
  await new Promise((resolve) => other.close(resolve));
  retry();

  // Nothing is behind it: the connection is accepted and then reset.
  const hear = async (): Promise<string> => {
    const socket = connect(port, HOST);
    return once(socket, 'close').then(
      () => 'closed',
      (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
    );
  };
  await expect.poll(hear, PATIENCE).toBe('ECONNRESET');
  expect(reports).toEqual(['a simulated address cannot be listened on']);
  door.close();
});
