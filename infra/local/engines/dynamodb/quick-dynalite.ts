/** dynalite as it is, but for its parsers, which are modules of their own and are called by their exports. */
import { createRequire } from 'node:module';
import dynalite from 'dynalite';
import { type ParseExpression, remembering } from './remembered-expressions.ts';

const require = createRequire(import.meta.url);

for (const kind of ['condition', 'projection', 'update']) {
  const parser = require(`dynalite/db/${kind}Parser`) as { parse: ParseExpression };
  parser.parse = remembering(parser.parse);
}

/** A DynamoDB that remembers which expressions it has parsed. */
export const createDynalite = dynalite;
