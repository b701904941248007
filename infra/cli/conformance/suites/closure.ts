/** Which modules of the project a module is made of. */
import { build } from 'esbuild';

/** The modules that an entry imports, directly or not, itself included; paths relative to the root, sorted. */
export type ClosureOf = (entry: string) => readonly string[];

/**
 * Reads the imports of all `entries` and, recursively, of their imports, including `await import('…')`. Type imports do
 * not count, because they are erased; packages are covered by the lock file. Rejects with esbuild's message for a
 * source that cannot be parsed or an import that cannot be resolved.
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
    // Without it, every entry is bundled with a copy of all that it imports, which takes fifteen times as long.
    splitting: true,
    // What a bundler would shake off still runs in a test.
    treeShaking: false,
    logLevel: 'silent',
  });
  return (entry) => {
    const seen = new Set([entry]);
    // A Set takes what is added while it is walked.
    for (const path of seen)
      for (const { path: target, external } of metafile.inputs[path]?.imports ?? []) if (!external) seen.add(target);
    return [...seen].toSorted();
  };
};
