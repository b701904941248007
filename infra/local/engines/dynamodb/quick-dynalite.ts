/**
 * dynalite with fast parsers and checksums, with queries that survive deletions, without open iterators, and with items
 * as texts. All of these are set through the exports of its modules.
 */
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import { closeIterators, type Database } from './closed-iterators.ts';
import { type ParseExpression, remembering } from './remembered-expressions.ts';
import { type QueryTable, wholeItems } from './whole-items.ts';

const require = createRequire(import.meta.url);

type MemoryLevel = new (options: object) => object;

/**
 * As bytes, each item would keep the slab of Node's pool from which it was allocated, thirty times its size, and would
 * be encoded and decoded at each write and read.
 */
const asText = (Level: MemoryLevel): MemoryLevel =>
  class extends Level {
    constructor(options: object) {
      super({ ...options, storeEncoding: 'utf8' });
    }
  };

const requireOfDynalite = createRequire(require.resolve('dynalite'));
const memory = requireOfDynalite('memory-level') as { MemoryLevel: MemoryLevel };
memory.MemoryLevel = asText(memory.MemoryLevel);
// It must be loaded only now, because it takes the class when it is loaded.
const dynalite = require('dynalite') as typeof import('dynalite').default;

// Each response has a checksum. Computed in JavaScript, it takes a sixteenth of a laptop's time.
const checksum = requireOfDynalite('buffer-crc32') as { unsigned(body: string | Uint8Array): number };
checksum.unsigned = (body) => crc32(body);

for (const kind of ['condition', 'projection', 'update']) {
  const parser = require(`dynalite/db/${kind}Parser`) as { parse: ParseExpression };
  parser.parse = remembering(parser.parse);
}

type CreateStore = (options: unknown) => { db: Database };

const database = require('dynalite/db') as { queryTable: QueryTable; create: CreateStore };
database.queryTable = wholeItems(database.queryTable);

const { create } = database;
database.create = (options) => {
  const store = create(options);
  closeIterators(store.db);
  return store;
};

/** A DynamoDB that caches parsed expressions, and reads a page again while items of it are deleted. */
export const createDynalite = dynalite;
