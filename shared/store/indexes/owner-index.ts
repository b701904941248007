import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import type { LinkVersion, Mark, OwnerIndex, Place } from '../../kube-api/garbage/owner-index.ts';
import { isConditionFailed } from '../conditional-write.ts';
import { afterMarksOf, formerGarbageKey, garbageKey, garbagePartitions, linkKey, ownerPartition } from '../keys.ts';

interface Table {
  client: DynamoDBDocumentClient;
  table: string;
}

type Item = Record<string, unknown>;

/** Of each partition with marks. A sweep reads what it can deal with, and no namespace fills that alone. */
const MOST_MARKS = { ofNamespace: 250, ofPartition: 2000 };

/** The part of a name that counts: no object has a longer name, but marks of version 0.1 may. */
const MAX_NAME = 254;

const unlessConditionFailed = async (written: Promise<unknown>): Promise<void> => {
  try {
    await written;
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
  }
};

const onVersion = (ConditionExpression: string, { of, based }: LinkVersion) => ({
  ConditionExpression,
  ExpressionAttributeNames: { '#of': 'of', '#based': 'based' },
  ExpressionAttributeValues: { ':of': of, ':based': based },
});

/** Links of version 0.1 have no version, and are replaced and removed by any writer. */
const LINK = 'attribute_not_exists(#of) OR #of <> :of OR #based < :based';
const UNLINK = 'attribute_not_exists(#of) OR (#of = :of AND #based < :based)';

const makeLinks = ({ client, table: TableName }: Table): Pick<OwnerIndex, 'link' | 'unlink' | 'dependents'> => ({
  link: async (ownerUid, dependent, version) => {
    const Item = { ...linkKey(ownerUid, dependent), ...placeOf(dependent), ...version };
    const condition = version ? onVersion(LINK, version) : {};
    await unlessConditionFailed(client.send(new PutCommand({ TableName, Item, ...condition })));
  },
  unlink: async (ownerUid, dependent, version) => {
    const Key = { ...linkKey(ownerUid, dependent) };
    const condition = version ? onVersion(UNLINK, version) : {};
    await unlessConditionFailed(client.send(new DeleteCommand({ TableName, Key, ...condition })));
  },
  dependents: async (ownerUid) => {
    const found: Place[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': ownerPartition(ownerUid) },
      },
    );
    for await (const { Items = [] } of pages) found.push(...Items.map(placeOf));
    return found;
  },
});

/** Marks of version 0.1 have no namespace in their key, and each counts for itself. */
const isFormer = ({ sk, uid }: Item): boolean => sk === uid;

const markOf = (item: Item): Mark => {
  const place = placeOf(item);
  return {
    ...{ ...place, name: place.name.slice(0, MAX_NAME), uid: String(item.uid), at: Number(item.at) },
    ...(isFormer(item) ? { isFormer: true } : {}),
  };
};

const readPage = async ({ client, table }: Table, pk: string, after?: string): Promise<Item[]> => {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: after === undefined ? 'pk = :pk' : 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': pk, ...(after === undefined ? {} : { ':after': after }) },
      Limit: MOST_MARKS.ofNamespace,
    }),
  );
  return Items;
};

/** Continues after a namespace as soon as that one has had its share. */
const marksIn = async (table: Table, pk: string): Promise<Mark[]> => {
  const marks: Mark[] = [];
  const counts = new Map<string, number>();
  let page = await readPage(table, pk);
  while (page.length > 0 && marks.length < MOST_MARKS.ofPartition) {
    const all = page.map(markOf);
    const full = all.findIndex(({ namespace, isFormer: isSingle }) => {
      const count = (counts.get(namespace) ?? 0) + 1;
      counts.set(namespace, count);
      return count > MOST_MARKS.ofNamespace && !isSingle;
    });
    marks.push(...(full < 0 ? all : all.slice(0, full)));
    page = await readPage(table, pk, full < 0 ? String(page.at(-1)?.sk) : afterMarksOf(all[full]?.namespace ?? ''));
  }
  return marks;
};

const makeMarks = (table: Table): Pick<OwnerIndex, 'mark' | 'unmark' | 'marks'> => ({
  mark: async ({ uid, at, ...place }) => {
    const Item = { ...garbageKey({ uid, namespace: place.namespace }), uid, at, ...placeOf(place) };
    await table.client.send(new PutCommand({ TableName: table.table, Item }));
  },
  unmark: async (mark) => {
    const input = {
      TableName: table.table,
      Key: { ...(mark.isFormer ? formerGarbageKey(mark.uid) : garbageKey(mark)) },
      ConditionExpression: '#at <= :at',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':at': mark.at },
    };
    await unlessConditionFailed(table.client.send(new DeleteCommand(input)));
  },
  marks: async () => (await Promise.all(garbagePartitions().map((pk) => marksIn(table, pk)))).flat(),
});

/**
 * Owners and dependents as items of the one table: a link costs an additional write when an owner is named and one when
 * it is dropped, a removal two for its mark, and the dependents of an owner are one consistent query, regardless of the
 * number of other objects.
 */
export const createOwnerIndex = (table: Table): OwnerIndex => ({ ...makeLinks(table), ...makeMarks(table) });

/** The names of a place; `resource` is the key of the index by version, which these items stay out of. */
const placeOf = ({ group, plural, namespace, name }: Place | Item): Place => ({
  group: String(group),
  plural: String(plural),
  namespace: String(namespace),
  name: String(name),
});
