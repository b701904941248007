import { type DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import { type BrakeLimits, type BrakeSummary, isBraked, mergeSummaries } from '../../plan/drift/brake.ts';
import { BRAKE_PARTITION, brakeKey } from '../keys.ts';

/** The sweeps' most recent observations of all nodes, for code that would replace machines because of their nodes. */
export interface FleetBrake {
  /** Whether nothing may be replaced in a namespace. Costs one query, or none if the brake is off. */
  holds(): Promise<(namespace: string) => boolean>;
  /**
   * Stores what a part of the sweep has observed. Costs one write. A sweep with only one part writes only if something
   * is broken now, or was at the last sweep.
   */
  note(part: { index: number; of: number }, summary: BrakeSummary): Promise<void>;
}

export interface FleetBrakeDependencies {
  client: DynamoDBDocumentClient;
  /** Name of the table. */
  table: string;
  clock: Clock;
  limits: BrakeLimits;
}

/** Older data are ignored: a sweep runs at least every hour. */
const VALID_MILLISECONDS = 2 * 60 * 60_000;

interface Noted {
  at: number;
  summary: BrakeSummary;
}

/** The brake in the table, with an item for each part of the sweep. */
export const createFleetBrake = ({ client, table, clock, limits }: FleetBrakeDependencies): FleetBrake => {
  const now = () => clock.now().getTime();
  const read = async (): Promise<Noted[]> => {
    const input = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': BRAKE_PARTITION },
    };
    const { Items = [] } = await client.send(new QueryCommand(input));
    return (Items as Noted[]).filter(({ at }) => at > now() - VALID_MILLISECONDS);
  };
  return {
    holds: async () => {
      if (limits.share >= 1) return () => false;
      const merged = mergeSummaries((await read()).map(({ summary }) => summary));
      return (namespace) => isBraked(merged, namespace, limits);
    },
    note: async ({ index, of }, summary) => {
      if (limits.share >= 1) return;
      // The other parts need the total.
      const isNeeded =
        of > 1 || summary.all.broken > 0 || (await read()).some(({ summary: { all } }) => all.broken > 0);
      if (!isNeeded) return;
      const expires = Math.ceil((now() + VALID_MILLISECONDS) / 1000);
      const Item = { ...brakeKey(index), at: now(), summary, expires };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
  };
};
