import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { sourceFile } from '../source-file.ts';

export interface BundleOptions {
  /** The directory to which the entries are relative. */
  root: string;
  /** The entry of each function, by its name. */
  entries: Readonly<Record<string, string>>;
  /** This directory is emptied first; then it contains `<name>/index.mjs` of each function, and the shared chunks. */
  outdir: string;
  /** Share no chunks, so that the inputs of each function can be measured separately. */
  apart?: boolean;
}

/** ESM bundles of CommonJS packages still call `require` for Node's own modules. */
const REQUIRE_BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** An alias can only replace a package, but this is a module within one. */
const WITHOUT_SSH_AGENTS: Plugin = {
  name: 'without SSH agents',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/agent\.js$/ }, ({ importer }) =>
      importer.includes(join('node_modules', 'ssh2', 'lib'))
        ? { path: join(import.meta.dirname, sourceFile('without-ssh-agents')) }
        : undefined,
    ),
};

const missingEntries = (root: string, entries: Readonly<Record<string, string>>): string[] =>
  Object.entries(entries)
    .filter(([, file]) => !existsSync(join(root, file)))
    .map(([name, file]) => `function "${name}" has no code: ${file} does not exist`);

/**
 * Bundles all functions in one esbuild call and returns esbuild's metafile. Code that several functions use is written
 * once, in chunks that they import: it is uploaded once, and a laptop keeps one copy of it in memory. Equal sources
 * give equal bytes. Throws an Error that lists every missing entry. `mainFields: module,main` selects the SDK's ES
 * modules, which can be tree-shaken.
 */
export const bundleFunctions = async ({ root, entries, outdir, apart = false }: BundleOptions): Promise<Metafile> => {
  const missing = missingEntries(root, entries);
  if (missing.length > 0) throw new Error(missing.join('\n'));
  rmSync(outdir, { recursive: true, force: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [`${name}/index`, file])),
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    splitting: !apart,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    alias: {
      '@aws-crypto/branch-keystore-node': join(import.meta.dirname, sourceFile('without-branch-keystore')),
      '@aws-sdk/credential-provider-node': join(import.meta.dirname, sourceFile('environment-credentials')),
    },
    // Optional compiled parts of packages are left out: a bundle must be the same wherever it is built.
    external: ['*.node'],
    plugins: [WITHOUT_SSH_AGENTS],
    banner: { js: REQUIRE_BANNER },
    // CommonJS packages require it when they are loaded.
    define: { __dirname: 'import.meta.dirname' },
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  return result.metafile;
};
