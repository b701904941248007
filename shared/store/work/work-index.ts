import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { DUE_SHARDS, dueShard } from '../keys.ts';
import { DUE } from '../table.ts';
import type { WorkDependencies, WorkItem, WorkStore } from './work.ts';
import { isLeased, type StoredWork, toWorkItem } from './work-item.ts';

/**
 * Reads the sparse index of unfinished work. It contains no settled cluster, so a quiet fleet only costs a few empty
 * queries.
 */
export const sweepIndex = ({ client, table, clock }: WorkDependencies): Pick<WorkStore, 'due' | 'listUnsettled'> => {
  const shard = async (number: number, until: number): Promise<StoredWork[]> => {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: DUE.name,
        KeyConditionExpression: 'dueShard = :shard AND dueAt <= :until',
        ExpressionAttributeValues: { ':shard': dueShard(number), ':until': until },
      },
    );
    const found: StoredWork[] = [];
    for await (const page of pages) found.push(...((page.Items ?? []) as StoredWork[]));
    return found;
  };
  const all = async (until: number): Promise<StoredWork[]> =>
    (await Promise.all(Array.from({ length: DUE_SHARDS }, (_, number) => shard(number, until)))).flat();
  const oldestFirst = (stored: StoredWork[]): WorkItem[] =>
    stored.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0)).map(toWorkItem);

  return {
    due: async (now) => oldestFirst((await all(now.getTime())).filter((stored) => !isLeased(stored, clock.now()))),
    listUnsettled: async () =>
      oldestFirst((await all(Number.MAX_SAFE_INTEGER)).filter(({ wanted = 0, done = 0 }) => wanted > done)),
  };
};
