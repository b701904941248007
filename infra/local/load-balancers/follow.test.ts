import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { expect, it } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { silentLog } from '../../../shared/log.ts';
import { PATIENCE } from '../../../shared/test-patience.ts';
import { createDataPlane } from '../engines/elbv2/data-plane.ts';
import { followLoadBalancers } from './follow.ts';

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

/** The answer from the other end, or the code of the error that ends the connection. */
const hear = async (port: number): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  try {
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'end')]);
    return String(data ?? 'nothing');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    socket.destroy();
  }
};

it('forwards connections to the registered machines that answer, and stops with the listener', async () => {
  const machine = createServer((socket) => {
    // A client may disconnect before the message has ended.
    socket.on('error', () => {});
    socket.end('the machine');
  });
  const machinePort = await listening(machine);
  const free = createServer();
  const port = await listening(free);
  await new Promise((done) => free.close(done));

  let exists = true;
  const answers: Record<string, () => object> = {
    DescribeLoadBalancersCommand: () => ({ LoadBalancers: [{ LoadBalancerArn: 'lb', DNSName: '127.0.0.1' }] }),
    DescribeListenersCommand: () => ({
      Listeners: exists
        ? [{ ListenerArn: 'listener', Port: port, DefaultActions: [{ Type: 'forward', TargetGroupArn: 'group' }] }]
        : [],
    }),
    DescribeTargetHealthCommand: () => ({
      TargetHealthDescriptions: [
        { Target: { Id: 'i-silent', Port: 6443 }, TargetHealth: { State: 'healthy' } },
        { Target: { Id: 'i-machine', Port: 6443 }, TargetHealth: { State: 'initial' } },
      ],
    }),
  };
  const send = async (command: object) => answers[command.constructor.name]?.();
  const client = Object.assign(
    Object.create((await import('@aws-sdk/client-elastic-load-balancing-v2')).ElasticLoadBalancingV2Client.prototype),
    { send },
  ) as ElasticLoadBalancingV2Client;
  const dataPlane = createDataPlane();
  const end = new AbortController();
  const options = { client, dataPlane, clock: systemClock, log: silentLog, pollMilliseconds: 5 };
  const followed = followLoadBalancers(options, end.signal);

  await expect.poll(() => hear(port), PATIENCE).toBe('ECONNRESET');
  dataPlane.serve('i-machine', 6443, { host: '127.0.0.1', port: machinePort });
  expect(await hear(port)).toBe('the machine');
  exists = false;
  await expect.poll(() => hear(port), PATIENCE).toBe('ECONNREFUSED');

  end.abort();
  await followed;
  machine.close();
});
