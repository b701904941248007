import { createRequire, syncBuiltinESMExports } from 'node:module';
import { inOrder } from './quiet.ts';

const require = createRequire(import.meta.url);

type Read = (...values: unknown[]) => Promise<unknown>;

/** Files that are read at the same time arrive in the order in which they were requested, as the SDK's settings are. */
export const patchFiles = (): void => {
  const promises = require('node:fs/promises') as { readFile: Read };
  const { readFile } = promises;
  promises.readFile = (...values) => inOrder(readFile(...values));
  syncBuiltinESMExports();
};
