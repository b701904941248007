import { expect, it } from 'vitest';
import type { Budget, Lease } from '../../../shared/aws/pace/turns.ts';
import { createTurns } from '../../../shared/store/limits/turns.ts';
import { explore, type Play, type Stage } from './explore.ts';
import { clientOf, makeMemoryTable, type TableOptions } from './memory-table.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const BUDGET: Budget = { owner: '123456789012 eu-west-1', name: 'mutating', capacity: 4, refillPerSecond: 2 };
const EVERY = 1000 / BUDGET.refillPerSecond;
const PASSING_SECONDS = 1;

/** The times at which the tokens of a lease may be used. */
const tokensOf = ({ at, every }: Lease, count: number): number[] =>
  Array.from({ length: count }, (_, index) => at + index * every);

/** Actors that lease these numbers of tokens, one lease after the other. */
const leases =
  (wishes: readonly (readonly number[])[], options: TableOptions = {}) =>
  ({ begin }: Stage): Play => {
    const table = makeMemoryTable(options);
    const granted: number[] = [];
    let now = START;
    const clock = { now: () => new Date(now), sleep: async () => {} };
    for (const [index, mine] of wishes.entries())
      begin(`actor ${index}`, async (step) => {
        const client = clientOf((command) => step(command.constructor.name, () => table.run(command)));
        const turns = createTurns({ client, table: 'objects', clock });
        for (const tokens of mine) {
          const lease = await turns.lease(BUDGET, tokens, { isEmpty: false, patience: 60_000 });
          if (lease) granted.push(...tokensOf(lease, tokens));
        }
      });
    return {
      state: () => JSON.stringify([now, table.items(), granted.toSorted((a, b) => a - b)]),
      // The loser mistakes the winner's write for its own, and updates what is not there.
      mayFail: options.isUnconditional ? ['ValidationException'] : [],
      judge: () => {
        const times = granted.toSorted((a, b) => a - b);
        const tooSoon = times.filter((at, index) => index > 0 && at - (times[index - 1] ?? 0) < EVERY);
        const saved = times.filter((at) => at < START - BUDGET.capacity * EVERY);
        return [
          ...tooSoon.map((at) => `a token is given twice at ${at - START}`),
          ...saved.map(() => 'more was saved than there is room for'),
        ];
      },
      // Tokens that a crashed actor has taken are not given to others, so these may be missing.
      judgeEnd: (crashed) => {
        const wanted = wishes.flat().reduce((total, one) => total + one, 0);
        return crashed === 0 && granted.length < wanted ? [`${granted.length} of ${wanted} tokens were given`] : [];
      },
      passTime: () => {
        now += PASSING_SECONDS * 1000;
      },
    };
  };

it('a token of a bucket is never issued twice, regardless of the order of three processes and of a crash', async () => {
  const found = await explore(leases([[1, 2], [2], [3]]), { crashes: 1 });
  expect(found.problems).toEqual([]);
  expect(found.ends).toBeGreaterThan(10);
  console.log(`turns: ${found.states} states, at most ${found.depth} steps`);
});

it('catches a build whose writes have no condition', async () => {
  const { problems } = await explore(leases([[1], [1]], { isUnconditional: true }), { crashes: 0 });
  expect(problems).toContainEqual(expect.stringContaining('of 2 tokens were given'));
});
