import { extname } from 'node:path';

const EXTENSION = extname(import.meta.filename);

/**
 * The file of a module that is started, bundled or read by its path: `.ts` in a checkout, and `.js` in the npm package,
 * because Node.js strips no types below node_modules. `module` is a path without an extension.
 */
export const sourceFile = (module: string): string => `${module}${EXTENSION}`;
