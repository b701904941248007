/** Fills the table of a laptop with copies of a cluster. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { Laptop } from '../../laptop.ts';
import { type Item, type Pattern, tableOf } from './pattern.ts';
import { PATTERN, type Place, renamed, renamer } from './rename.ts';

/** The objects that the sweep reads. A cluster's other objects would only make the table larger. */
const READ =
  /^(cluster\.x-k8s\.io\/(clusters|machines)|infrastructure\.cluster\.x-k8s\.io\/(awsclusters|awsmachines)|record)\|/;
const NAMESPACE = '/namespaces|';
const IN_NAMESPACE = 10;
const BATCH = 25;
const BATCHES_AT_ONCE = 8;

export const placeOf = (index: number): Place => ({
  index,
  namespace: `team-${Math.ceil(index / IN_NAMESPACE)}`,
  name: `c-${index}`,
});

const bodyOf = (body: string | Uint8Array, rename: (text: string) => string): string | Uint8Array =>
  typeof body === 'string' ? rename(body) : gzipSync(rename(gunzipSync(body).toString('utf8')));

/** The API server of a copy does not answer. This is already recorded, so no sweep reports it. */
const unreachable = (text: string): string =>
  text.replace(/("type":"RemoteConnectionProbe","status":")True"/g, '$1False"');

/** Turns an item of the cluster with this uid into the corresponding item of a copy. */
export const copyItem = (uid: string, { body, ...item }: Item, place: Place): Item => {
  const rename = renamer(uid, place);
  return { ...renamed(item, rename), body: bodyOf(body as string, (text) => unreachable(rename(text))) } as Item;
};

const write = async (client: DynamoDBDocumentClient, TableName: string, items: readonly Item[]): Promise<void> => {
  const batches = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );
  await mapConcurrently(batches, BATCHES_AT_ONCE, async (batch) => {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteCommand({ RequestItems: { [TableName]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB left items of a batch unwritten');
  });
};

const GROUP = 100;

/** Whether the objects of a namespace are needed. Namespaces themselves always exist. */
export type IsRead = (namespace: string) => boolean;

/** Writes the clusters from `from` to `to`, in groups so that they are not all in memory. */
export const fillTable = async (
  laptop: Laptop,
  { uid, items }: Pattern,
  [from, to]: readonly [number, number],
  isRead: IsRead,
): Promise<void> => {
  const { client, TableName } = await tableOf(laptop.access);
  const own = items.filter(({ pk }) => READ.test(pk) && pk.endsWith(`|${PATTERN.namespace}`));
  const namespace = items.filter(({ pk, sk }) => pk === NAMESPACE && sk === PATTERN.namespace);
  // Versions continue after those of the pattern.
  const counters = items.filter(({ pk }) => pk.startsWith('counter|'));
  if (from === 1) await write(client, TableName, counters);
  for (let first = from; first <= to; first += GROUP) {
    const places = Array.from({ length: Math.min(GROUP, to - first + 1) }, (_, offset) => placeOf(first + offset));
    const heads = places.filter(({ index }) => index % IN_NAMESPACE === 1);
    const read = places.filter((place) => isRead(place.namespace));
    const copies = (all: readonly Item[], at: readonly Place[]) =>
      at.flatMap((place) => all.map((item) => copyItem(uid, item, place)));
    await write(client, TableName, [...copies(namespace, heads), ...copies(own, read)]);
  }
  client.destroy();
};
