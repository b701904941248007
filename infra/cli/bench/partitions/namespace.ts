/** One namespace with many clusters: the size of the partition of its Machines, and the read units of lists. */
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NO_SEALER } from '../../../../functions/no-sealer.ts';
import { systemClock } from '../../../../shared/clock.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { ListOptions } from '../../../../shared/kube-api/storage/storage.ts';
import { seededRandom } from '../../../../shared/seeded-random.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import { objectPartition } from '../../../../shared/store/keys.ts';
import { createDynamoStorage } from '../../../../shared/store/objects/dynamo-storage.ts';
import { copyItem } from '../fleet/fill-table.ts';
import type { Pattern } from '../fleet/pattern.ts';
import { PATTERN } from '../fleet/rename.ts';
import { limitedClient } from './limited-client.ts';
import { makePartitionLimits, withoutRefusals } from './limits.ts';

export interface NamespaceFigures {
  clusters: number;
  machines: number;
  /** Read units of a list of all Machines, in pages of 500 and at once, and of a list of one cluster's Machines. */
  paged: number;
  whole: number;
  ofCluster: number;
}

const NAMESPACE = 'crowded';
const BATCH = 25;
const BATCHES_AT_ONCE = 4;
const PAGE = 500;

const fill = async (
  client: DynamoDBDocumentClient,
  table: string,
  { uid, items }: Pattern,
  clusters: number,
): Promise<void> => {
  const own = objectPartition(kinds.machine, PATTERN.namespace);
  // Deleted objects are kept for an hour without a body, for watches.
  const pattern = items.filter(({ pk, body }) => pk === own && body !== undefined);
  const counters = items.filter(({ pk }) => pk.startsWith('counter|'));
  const copies = Array.from({ length: clusters }, (_, index) =>
    pattern.map((item) => copyItem(uid, item, { index, namespace: NAMESPACE, name: `c-${index}` })),
  ).flat();
  const all = [...counters, ...copies];
  const batches = Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) =>
    all.slice(index * BATCH, (index + 1) * BATCH),
  );
  await mapConcurrently(batches, BATCHES_AT_ONCE, async (batch) => {
    const RequestItems = { [table]: batch.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB left items of a batch unwritten');
  });
};

/** Fills a namespace with copies of a cluster, and counts the read units of lists of its Machines. */
export const measureNamespace = async (
  { client, table }: { client: DynamoDBDocumentClient; table: string },
  pattern: Pattern,
  clusters: number,
): Promise<NamespaceFigures> => {
  await fill(client, table, pattern, clusters);
  const unitsOf = async (options: ListOptions): Promise<number> => {
    const limits = makePartitionLimits({ now: () => new Date(0) });
    const storage = createDynamoStorage({
      ...{ client: limitedClient(client, withoutRefusals(limits)), table, clock: systemClock },
      ...{ random: seededRandom(1), sealer: NO_SEALER },
    });
    let page = await storage.list(kinds.machine, options);
    while (page.continue !== undefined)
      page = await storage.list(kinds.machine, { ...options, continue: page.continue });
    const own = objectPartition(kinds.machine, NAMESPACE);
    return limits.figures().find(({ partition, kind }) => partition === own && kind === 'read')?.units ?? 0;
  };
  const units = {
    paged: await unitsOf({ namespace: NAMESPACE, limit: PAGE }),
    whole: await unitsOf({ namespace: NAMESPACE }),
    ofCluster: await unitsOf({ namespace: NAMESPACE, cluster: 'c-1' }),
  };
  return { clusters, machines: clusters * 13, ...units };
};
