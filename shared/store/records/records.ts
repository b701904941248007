import { gunzipSync, gzipSync } from 'node:zlib';
import { PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../clock.ts';
import { readJson } from '../../decode/json.ts';
import { TooLargeError } from '../../errors.ts';
import { isAccepted } from '../conditional-write.ts';
import { takenOverGroup } from '../indexes/group-index.ts';
import { type ItemKey, recordKey, recordPartition } from '../keys.ts';
import { MAX_ENCODED_BYTES } from '../objects/codec.ts';
import { objectReads, type TableAccess } from '../objects/reads.ts';

/** The object to which a record belongs. */
export interface RecordOwner {
  namespace: string;
  uid: string;
}

/** The controllers' record of one object. Version 0 means that there is no record. */
export interface ObjectRecord {
  version: number;
  entries: Readonly<Record<string, string>>;
}

/** A record in the form that a sweep reads. `at`: its last write, in milliseconds since 1970. */
export interface RecordListing extends RecordOwner {
  version: number;
  at: number;
}

/**
 * Records: the controllers' own state, with one item of the table for each object that needs one. The API does not
 * serve them, so only the controllers can write them.
 */
export interface Records {
  /** Reads records, in the order of their owners; strongly consistent. */
  read(owners: readonly RecordOwner[]): Promise<ObjectRecord[]>;
  /**
   * All records of a namespace by the uids of their objects, including ended ones; they may be slightly outdated.
   * Records are small: reading one record separately costs as much as reading 4 KB of them together.
   */
  survey(namespace: string): Promise<ReadonlyMap<string, ObjectRecord>>;
  /** Writes the record if it still has the version `expected`; undefined if another writer was faster. */
  write(owner: RecordOwner, entries: ObjectRecord['entries'], expected: number): Promise<ObjectRecord | undefined>;
  /**
   * Ends the record of a removed object, on the same condition. An empty record is kept for a day, so that a process
   * that has read the object before cannot record anything more about it.
   */
  end(owner: RecordOwner, expected: number): Promise<boolean>;
  /** All records of a namespace that have not ended. */
  list(namespace: string): Promise<RecordListing[]>;
}

export const NO_RECORD: ObjectRecord = { version: 0, entries: {} };

/** How long an ended record prevents late writes; longer than any run of a function. */
const KEEP_ENDED_SECONDS = 24 * 60 * 60;

/** A record is read with its object in every pass, and small items cost less. */
const COMPRESS_ABOVE_BYTES = 1024;

interface StoredRecord extends ItemKey {
  /** The name is not `version`, because that is a key of the index by version, which must not contain records. */
  turn: number;
  at: number;
  body: string | Uint8Array;
  /** The name of a pool's group, if it was taken over: a key of the index by instance. */
  instance?: string;
  ended?: boolean;
  expires?: number;
}

const encode = (entries: ObjectRecord['entries']): string | Uint8Array => {
  const json = JSON.stringify(entries);
  const body = Buffer.byteLength(json) > COMPRESS_ABOVE_BYTES ? gzipSync(json) : json;
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_ENCODED_BYTES)
    throw new TooLargeError(`a record has ${bytes} bytes; at most ${MAX_ENCODED_BYTES} can be kept`);
  return body;
};

const decode = (stored: StoredRecord | undefined): ObjectRecord => {
  if (!stored) return NO_RECORD;
  const text = typeof stored.body === 'string' ? stored.body : gunzipSync(stored.body).toString('utf8');
  return { version: stored.turn, entries: readJson(text) as ObjectRecord['entries'] };
};

/** Records in the table. A read is one call for all concurrent reads, and a write is one conditional call. */
export const createRecords = (access: TableAccess): Records => {
  const { client, table, clock } = access;
  const reads = objectReads(access);
  const put = makePut(access);
  return {
    read: async (owners) => {
      const found = await Promise.all(owners.map(({ namespace, uid }) => reads.get(recordKey(namespace, uid))));
      return found.map((item) => decode(item as unknown as StoredRecord | undefined));
    },
    write: async (owner, entries, expected) => {
      const isWritten = await put(owner, { body: encode(entries), ...indexed(entries) }, expected);
      return isWritten ? { version: expected + 1, entries } : undefined;
    },
    end: (owner, expected) => put(owner, { body: '{}', ended: true, expires: endOf(clock) }, expected),
    survey: async (namespace) => {
      const KeyConditionExpression = 'pk = :pk';
      const ExpressionAttributeValues = { ':pk': recordPartition(namespace) };
      const found = new Map<string, ObjectRecord>();
      for await (const { Items = [] } of paginateQuery(
        { client },
        { TableName: table, KeyConditionExpression, ExpressionAttributeValues },
      ))
        for (const item of Items as StoredRecord[]) found.set(item.sk, decode(item));
      return found;
    },
    list: async (namespace) => {
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          FilterExpression: 'attribute_not_exists(ended)',
          ProjectionExpression: 'sk, turn, #at',
          ExpressionAttributeNames: { '#at': 'at' },
          ExpressionAttributeValues: { ':pk': recordPartition(namespace) },
        },
      );
      const found: RecordListing[] = [];
      for await (const { Items = [] } of pages) {
        for (const { sk, turn, at } of Items as StoredRecord[]) found.push({ namespace, uid: sk, version: turn, at });
      }
      return found;
    },
  };
};

const indexed = (entries: ObjectRecord['entries']): Pick<StoredRecord, 'instance'> => {
  const group = takenOverGroup(entries);
  return group ? { instance: group } : {};
};

const endOf = (clock: Clock): number => Math.ceil(clock.now().getTime() / 1000) + KEEP_ENDED_SECONDS;

const makePut =
  ({ client, table, clock }: TableAccess) =>
  async (
    { namespace, uid }: RecordOwner,
    content: Pick<StoredRecord, 'body' | 'ended' | 'expires' | 'instance'>,
    expected: number,
  ): Promise<boolean> => {
    const item: StoredRecord = {
      ...recordKey(namespace, uid),
      turn: expected + 1,
      at: clock.now().getTime(),
      ...content,
    };
    const condition =
      expected === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'turn = :expected', ExpressionAttributeValues: { ':expected': expected } };
    return isAccepted(client.send(new PutCommand({ TableName: table, Item: item, ...condition })));
  };
