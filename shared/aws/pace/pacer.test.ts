import { RunInstancesCommand } from '@aws-sdk/client-ec2';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../clock.ts';
import { createEc2Client } from '../clients/ec2.ts';
import { isThrottling, madeNothing, translateAwsError } from '../errors.ts';
import type { PacedCall } from './pace.ts';
import { createPacer } from './pacer.ts';
import { type Budget, millisecondsOf, type Turns } from './turns.ts';

const START = Date.parse('2030-01-01T00:00:00Z');

/** A clock that advances only by sleeping. */
const sleepingClock = (): Clock & { at(): number; advance(milliseconds: number): void } => {
  let now = START;
  return {
    now: () => new Date(now),
    at: () => now - START,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    sleep: async (milliseconds) => {
      const until = now + milliseconds;
      await Promise.resolve();
      now = Math.max(now, until);
    },
  };
};

/** Grants turns like the table, for one bucket that is initially empty. */
const makeTurns = (clock: Clock) => {
  const leases: { budget: Budget; tokens: number; isEmpty: boolean }[] = [];
  let next = 0;
  const turns: Turns = {
    lease: async (budget, tokens, { isEmpty, patience }) => {
      leases.push({ budget, tokens, isEmpty });
      const now = clock.now().getTime();
      const at = Math.max(next, now);
      if (at > now + patience) return undefined;
      const every = millisecondsOf(budget);
      next = at + tokens * every;
      return { at, every };
    },
  };
  return { turns, leases };
};

const RUN: PacedCall = { service: 'ec2', operation: 'RunInstances', input: { MinCount: 1, MaxCount: 1 } };
const DESCRIBE: PacedCall = { service: 'elasticloadbalancing', operation: 'DescribeLoadBalancers', input: {} };

const setUp = (share = 1) => {
  const clock = sleepingClock();
  const { turns, leases } = makeTurns(clock);
  return { clock, turns, leases, pace: createPacer({ turns, clock, share })('1 home') };
};

describe('the pacing of calls', () => {
  it('lets calls pass without a lease as long as AWS refuses none', async () => {
    const { clock, leases, pace } = setUp();
    for (let call = 0; call < 100; call += 1) await pace.admit(RUN);
    expect([clock.at(), leases]).toEqual([0, []]);
  });

  it('spaces calls out at its share of the rate once AWS has refused one, with one lease for concurrent calls', async () => {
    const { clock, leases, pace } = setUp(0.5);
    pace.refused(RUN);
    await Promise.all([pace.admit(RUN), pace.admit(RUN), pace.admit(RUN)]);
    expect(clock.at()).toBe(2_000);
    expect(leases).toEqual([
      {
        budget: { owner: '1 home', name: 'ec2 RunInstances', capacity: 2.5, refillPerSecond: 1 },
        tokens: 3,
        isEmpty: true,
      },
    ]);
    await pace.admit(RUN);
    expect([clock.at(), leases.at(-1)?.isEmpty]).toEqual([3_000, false]);
  });

  it('refuses calls whose turn would come later than a function waits, and leases nothing for them', async () => {
    const { leases, pace } = setUp();
    pace.refused(RUN);
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => pace.admit(RUN)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    const [refusal] = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason] : []));
    expect(refusal).toMatchObject({ name: 'Throttled', message: expect.stringContaining('RunInstances') });
    expect(leases.map(({ tokens }) => tokens)).toEqual([6]);
  });

  it('stops leasing a minute after the last call that had to wait', async () => {
    const { clock, leases, pace } = setUp();
    pace.refused(RUN);
    await pace.admit(RUN);
    clock.advance(59_000);
    await pace.admit(RUN);
    clock.advance(2_000);
    await pace.admit(RUN);
    expect(leases).toHaveLength(2);
  });

  it('counts all calls for load balancers together, and those of each kind separately', async () => {
    const { leases, pace } = setUp();
    pace.refused(DESCRIBE);
    await pace.admit({ ...DESCRIBE, operation: 'CreateLoadBalancer' });
    expect(leases.map(({ budget }) => budget.name)).toEqual(['elasticloadbalancing all']);
    await pace.admit(DESCRIBE);
    expect(leases.map(({ budget }) => budget.name).slice(1)).toEqual([
      'elasticloadbalancing all',
      'elasticloadbalancing non-mutating',
    ]);
  });

  it('applies to one account and region only', async () => {
    const { clock, turns, leases } = setUp();
    const pacer = createPacer({ turns, clock, share: 1 });
    pacer('1 home').refused(RUN);
    await pacer('2 home').admit(RUN);
    expect([leases, pacer('1 home')]).toEqual([[], pacer('1 home')]);
  });
});

describe('a client with pacing', () => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
  const clientOf = (answers: (object | Error)[], admit = async () => {}) => {
    const calls: string[] = [];
    const client = createEc2Client({
      region: 'eu-west-1',
      credentials,
      maxAttempts: 2,
      requestHandler: {
        handle: async () => {
          calls.push('sent');
          const answer = answers.shift();
          if (answer instanceof Error) throw answer;
          return { response: answer };
        },
      } as never,
      pace: {
        admit: async ({ operation }) => {
          calls.push(`admit ${operation}`);
          await admit();
        },
        refused: ({ operation }) => void calls.push(`refused ${operation}`),
      },
    });
    return { calls, run: () => client.send(new RunInstancesCommand({ MinCount: 1, MaxCount: 1 })) };
  };
  const throttled = () => Object.assign(new Error('slow'), { name: 'RequestLimitExceeded', $metadata: {} });

  it('requests admission before each attempt, and reports each refused attempt', async () => {
    const { calls, run } = clientOf([throttled(), throttled()]);
    await expect(run()).rejects.toThrow('slow');
    const attempt = ['admit RunInstances', 'sent', 'refused RunInstances'];
    expect(calls).toEqual([...attempt, ...attempt]);
  });

  it('does not send a call that is not admitted, and reports it as throttled and without effect', async () => {
    const { clock, turns } = setUp();
    const pace = createPacer({ turns, clock, share: 1 })('1 home');
    pace.refused(RUN);
    const fill = async () => {
      await turns.lease({ owner: '1 home', name: 'x', capacity: 5, refillPerSecond: 2 }, 100, {
        isEmpty: true,
        patience: 0,
      });
    };
    await fill();
    const { calls, run } = clientOf([], () => pace.admit(RUN));
    const error = await run().catch((thrown: unknown) => thrown);
    expect(calls).toEqual(['admit RunInstances']);
    expect([isThrottling(error), madeNothing(error), (translateAwsError(error) as Error).name]).toEqual([
      true,
      true,
      'Throttled',
    ]);
  });
});
