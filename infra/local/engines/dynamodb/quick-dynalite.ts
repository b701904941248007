/**
 * dynalite with quick parsers, with queries that survive deletions, and without open iterators; all are reached by the
 * exports of its modules.
 */
import { createRequire } from 'node:module';
import dynalite from 'dynalite';
import { closeIterators, type Database } from './closed-iterators.ts';
import { type ParseExpression, remembering } from './remembered-expressions.ts';
import { type QueryTable, wholeItems } from './whole-items.ts';

const require = createRequire(import.meta.url);

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
