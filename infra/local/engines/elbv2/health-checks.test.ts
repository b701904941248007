import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../../shared/clock.ts';
import { silentLog } from '../../../../shared/log.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { createAccount } from '../../account.ts';
import { createDataPlane } from './data-plane.ts';
import { runHealthChecks } from './health-checks.ts';
import type { Target, TargetGroup } from './records.ts';
import { makeTestCertificate } from './test-certificate.ts';

const CHECK = {
  ...{ protocol: 'HTTPS', port: 'traffic-port', path: '/readyz', matcher: '200' },
  ...{ intervalSeconds: 10, timeoutSeconds: 10, healthyThreshold: 3, unhealthyThreshold: 3 },
} as const;

let asked: string[];
let connections: number;
let status: number;
let close: () => void;
let port: number;

beforeEach(async () => {
  [asked, connections, status] = [[], 0, 200];
  const server = createServer(await makeTestCertificate(systemClock.now()), ({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(status).end('ok');
  });
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => close());

/** Runs this number of rounds; `between` is called with the round's number before each pause. */
const run = async (rounds: number, between: (round: number, dataPlane: ReturnType<typeof createDataPlane>) => void) => {
  const [end, dataPlane] = [new AbortController(), createDataPlane()];
  dataPlane.serve('i-1', 6443, { host: '127.0.0.1', port });
  let round = 0;
  const clock: Clock = {
    now: systemClock.now,
    sleep: async () => {
      between(round, dataPlane);
      round += 1;
      if (round === rounds) end.abort();
    },
  };
  const elb = createAccount({ clock, random: systemRandom }).elbv2();
  const target = { instanceId: 'i-1', port: 6443, registeredAt: 0, health: 'initial', drainedAt: undefined };
  const checked: Target = { ...target, health: 'initial', streak: { passed: false, count: 0 } };
  const group = { arn: 'group', healthCheck: CHECK, targets: new Map([['i-1', checked]]) } as unknown as TargetGroup;
  elb.targetGroups.set(group.arn, group);
  await runHealthChecks(elb, dataPlane, group, end.signal, silentLog);
  return checked;
};

it('checks a target over one connection, and a steady target only in every fifth round', async () => {
  const target = await run(50, () => {});

  expect(target.health).toBe('healthy');
  expect(connections).toBe(1);
  expect(asked).toHaveLength(10 + 8);
});

it('checks a failing target in every round', async () => {
  status = 500;
  await run(30, () => {});

  expect(asked).toHaveLength(30);
});

it('checks a target in every round again after a failed check', async () => {
  const target = await run(33, (round) => {
    if (round === 29) status = 500;
  });

  expect(target).toMatchObject({ health: 'unhealthy', streak: { passed: false, count: 3 } });
});

it('immediately detects that a steady target no longer answers', async () => {
  const target = await run(24, (round, dataPlane) => {
    if (round === 20) dataPlane.withdraw('i-1');
  });

  expect(target).toMatchObject({ health: 'unhealthy', streak: { passed: false, count: 3 } });
});

it('immediately checks a steady target that has moved', async () => {
  const target = await run(23, (round, dataPlane) => {
    if (round === 20) dataPlane.serve('i-1', 6443, { host: '127.0.0.1', port: 9 });
  });

  expect(target.streak).toEqual({ passed: false, count: 2 });
});
