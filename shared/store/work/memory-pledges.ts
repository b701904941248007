import type { Clock } from '../../clock.ts';
import { LONGEST_RUN_MS, PLEDGE_GRACE_MS, type PledgeStore, type PledgeSubject } from './pledges.ts';

/** Pledges of one process, with the rules of pledges.ts, for code that runs without a table. */
export const createMemoryPledges = ({ clock }: { clock: Pick<Clock, 'now'> }): PledgeStore => {
  const given = new Map<string, { at: number; subject: PledgeSubject }>();
  let count = 0;
  return {
    give: async (subject) => {
      count += 1;
      given.set(`pledge-${count}`, { at: clock.now().getTime(), subject });
      return `pledge-${count}`;
    },
    redeem: async (id) => {
      given.delete(id);
    },
    open: async (now) =>
      [...given].flatMap(([id, { at, subject }]) => {
        const age = now.getTime() - at;
        return age < PLEDGE_GRACE_MS ? [] : [{ id, isAbandoned: age >= LONGEST_RUN_MS, ...subject }];
      }),
  };
};
