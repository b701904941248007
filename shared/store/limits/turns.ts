import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { LRUCache } from 'lru-cache';
import { type Budget, type Lease, millisecondsOf, savedMilliseconds, type Turns } from '../../aws/pace/turns.ts';
import type { Clock } from '../../clock.ts';
import { ifAccepted } from '../conditional-write.ts';
import { turnsKey } from '../keys.ts';

export interface TurnsDependencies {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
}

/** A bucket that was not used for a day is full. */
const KEPT_SECONDS = 24 * 60 * 60;

/** The number of buckets that a process handles concurrently. */
const KEPT = 500;

/**
 * Turns in the table, with one item for each bucket. A lease costs one update; two if nothing was leased for a while or
 * if it is refused; three if other processes start to lease at the same moment.
 */
export const createTurns = ({ client, table, clock }: TurnsDependencies): Turns => {
  const update = async (budget: Budget, change: { set: string; condition: string; values: object }) => {
    const expires = Math.ceil(clock.now().getTime() / 1000) + KEPT_SECONDS;
    const input = {
      TableName: table,
      Key: turnsKey(budget.owner, budget.name),
      UpdateExpression: `SET nextAt = ${change.set}, expires = :expires`,
      ConditionExpression: change.condition,
      ExpressionAttributeValues: { ...change.values, ':expires': expires },
      ReturnValues: 'ALL_NEW' as const,
    };
    const written = await ifAccepted(client.send(new UpdateCommand(input)));
    return written && (written.Attributes as { nextAt: number });
  };
  /** For each bucket, the earliest time at which its next token can be free. It only increases. */
  const known = new LRUCache<string, number>({ max: KEPT });
  return {
    lease: async (budget, tokens, { isEmpty, patience }) => {
      const every = millisecondsOf(budget);
      const now = clock.now().getTime();
      const first = isEmpty ? now : now - savedMilliseconds(budget);
      const taken = tokens * every;
      const key = `${budget.owner}|${budget.name}`;
      const queue = async (): Promise<Lease | undefined> => {
        const queued = await update(budget, {
          set: 'nextAt + :taken',
          condition: 'nextAt BETWEEN :first AND :last',
          values: { ':taken': taken, ':first': first, ':last': now + patience },
        });
        if (queued) known.set(key, queued.nextAt);
        return queued && { at: queued.nextAt - taken, every };
      };
      const queued = await queue();
      if (queued) return queued;
      // A bucket whose queue was too long at the last read is still too long.
      if ((known.get(key) ?? 0) >= first) return undefined;
      const alone = await update(budget, {
        set: ':next',
        condition: 'attribute_not_exists(nextAt) OR nextAt < :first',
        values: { ':next': first + taken, ':first': first },
      });
      if (alone) {
        known.set(key, alone.nextAt);
        return { at: first, every };
      }
      // Another process has started to lease in the meantime, so there is a queue now.
      const behind = await queue();
      if (behind === undefined) known.set(key, now + patience);
      return behind;
    },
  };
};
