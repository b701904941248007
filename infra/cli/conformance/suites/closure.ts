/** Finds the modules of the project on which a module depends. */
import { build } from 'esbuild';

/**
 * The modules that an entry imports, directly or indirectly, including the entry. Paths are relative to the root and
 * sorted.
 */
export type ClosureOf = (entry: string) => readonly string[];

/**
 * Reads the imports of all `entries` and, recursively, of their imports, including `await import('…')`. Type imports do
 * not count, because they are erased; packages are covered by the lock file. Rejects with esbuild's message if a source
 * cannot be parsed or an import cannot be resolved.
 */
export const readClosures = async (root: string, entries: readonly string[]): Promise<ClosureOf> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: 'unused',
    write: false,
    bundle: true,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    // Otherwise every entry is bundled with a copy of everything that it imports, which takes fifteen times as long.
    splitting: true,
    // Code that a bundler would remove still runs in a test.
    treeShaking: false,
    logLevel: 'silent',
  });
  return (entry) => {
    const seen = new Set([entry]);
    // The iteration includes paths that are added meanwhile.
    for (const path of seen)
      for (const { path: target, external } of metafile.inputs[path]?.imports ?? []) if (!external) seen.add(target);
    return [...seen].toSorted();
  };
};
