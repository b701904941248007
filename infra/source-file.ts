import { extname } from 'node:path';

const EXTENSION = extname(import.meta.filename);

/**
 * The file of a module that is started, bundled or read by its path: `.ts` in a checkout, `.js` in the npm package, since
 * Node.js strips no types below node_modules. `module` is a path without extension.
 */
export const sourceFile = (module: string): string => `${module}${EXTENSION}`;
