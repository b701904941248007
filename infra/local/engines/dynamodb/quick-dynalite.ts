/** dynalite with quick parsers, and with queries that survive deletions; both are reached by the exports of its modules. */
import { createRequire } from 'node:module';
import dynalite from 'dynalite';
import { type ParseExpression, remembering } from './remembered-expressions.ts';
import { type QueryTable, wholeItems } from './whole-items.ts';

const require = createRequire(import.meta.url);

for (const kind of ['condition', 'projection', 'update']) {
  const parser = require(`dynalite/db/${kind}Parser`) as { parse: ParseExpression };
  parser.parse = remembering(parser.parse);
}

const database = require('dynalite/db') as { queryTable: QueryTable };
database.queryTable = wholeItems(database.queryTable);

/** A DynamoDB that caches parsed expressions, and reads a page again while items of it are deleted. */
export const createDynalite = dynalite;
