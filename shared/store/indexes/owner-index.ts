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

/**
 * The limits for marks in each namespace and partition. A sweep reads as many as it can process, and a single namespace
 * cannot use up the limit.
 */
const MOST_MARKS = { ofNamespace: 250, ofPartition: 2000 };

/** The part of a name that is compared: no object has a longer name, but marks of version 0.1 may have one. */
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

/** Links of version 0.1 have no version, and any writer may replace or remove them. */
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

/** Marks of version 0.1 have no namespace in their key, and each is counted separately. */
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

/** Continues with the next namespace as soon as one has reached its limit. */
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
 * Owners and dependents as items of the table. Naming an owner costs one additional write, and so does dropping it. A
 * removal costs two writes for its mark. The dependents of an owner are found with one consistent query, regardless of
 * the number of other objects.
 */
export const createOwnerIndex = (table: Table): OwnerIndex => ({ ...makeLinks(table), ...makeMarks(table) });

/** The parts of a place's name; `resource` is the key of the index by version, which must not contain these items. */
const placeOf = ({ group, plural, namespace, name }: Place | Item): Place => ({
  group: String(group),
  plural: String(plural),
  namespace: String(namespace),
  name: String(name),
});
