import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Budget, millisecondsOf, savedMilliseconds, type Turns } from '../aws/pace/turns.ts';
import type { Clock } from '../clock.ts';
import { turnsKey } from './keys.ts';
import { isConditionFailed } from './work-item.ts';

export interface TurnsDependencies {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
}

/** A bucket that nobody has taken from for a day is full. */
const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Turns over the one table: one item for each bucket, one update for each lease; two where nothing was leased for a
 * while, or where it is refused.
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
    try {
      return (await client.send(new UpdateCommand(input))).Attributes as { nextAt: number };
    } catch (error) {
      if (isConditionFailed(error)) return undefined;
      throw error;
    }
  };
  return {
    lease: async (budget, tokens, { isEmpty, patience }) => {
      const every = millisecondsOf(budget);
      const now = clock.now().getTime();
      const first = isEmpty ? now : now - savedMilliseconds(budget);
      const taken = tokens * every;
      const queued = await update(budget, {
        set: 'nextAt + :taken',
        condition: 'nextAt BETWEEN :first AND :last',
        values: { ':taken': taken, ':first': first, ':last': now + patience },
      });
      if (queued) return { at: queued.nextAt - taken, every };
      const alone = await update(budget, {
        set: ':next',
        condition: 'attribute_not_exists(nextAt) OR nextAt < :first',
        values: { ':next': first + taken, ':first': first },
      });
      return alone && { at: first, every };
    },
  };
};
