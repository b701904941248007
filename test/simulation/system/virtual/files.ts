import { createRequire, syncBuiltinESMExports } from 'node:module';
import { inOrder } from './quiet.ts';

const require = createRequire(import.meta.url);

type Read = (...values: unknown[]) => Promise<unknown>;

/**
 * Delivers files that are read at the same time in the order of the requests; the SDK reads its settings in this way.
 */
export const patchFiles = (): void => {
  const promises = require('node:fs/promises') as { readFile: Read };
  const { readFile } = promises;
  promises.readFile = (...values) => inOrder(readFile(...values));
  syncBuiltinESMExports();
};
