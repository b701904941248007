import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

/** What `bundleFunctions` made: one directory per function holding `index.mjs`, and esbuild's account of its inputs. */
export interface Bundles {
  directories: Readonly<Record<string, string>>;
  metafile: Metafile;
}

/** ESM bundles of CommonJS packages still call `require` for Node's own modules. */
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const missingEntries = (root: string, entries: Readonly<Record<string, string>>): string[] =>
  Object.entries(entries)
    .filter(([, file]) => !existsSync(join(root, file)))
    .map(([name, file]) => `function "${name}" has no code: ${file} does not exist`);

/**
 * Bundles all functions in one esbuild call, without code splitting, so that each directory stands alone and equal
 * sources give equal bytes. `entries` maps a function's name to its entry, relative to `root`. Throws an Error that
 * lists every entry that does not exist. `mainFields: module,main` picks the SDK's ES modules, which tree-shake.
 */
export const bundleFunctions = async (options: {
  root: string;
  entries: Readonly<Record<string, string>>;
  outdir: string;
}): Promise<Bundles> => {
  const { root, entries, outdir } = options;
  const missing = missingEntries(root, entries);
  if (missing.length > 0) throw new Error(missing.join('\n'));
  rmSync(outdir, { recursive: true, force: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [`${name}/index`, file])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    alias: { '@aws-crypto/branch-keystore-node': join(import.meta.dirname, 'without-branch-keystore.ts') },
    banner: { js: REQUIRE_BANNER },
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  const directories = Object.fromEntries(Object.keys(entries).map((name) => [name, join(outdir, name)]));
  return { directories, metafile: result.metafile };
};
