import { importsOf, type Source } from './source.ts';

const filesOf = (source: Source): string[] =>
  importsOf(source).flatMap(({ target }) => (target.endsWith('.ts') ? [target] : []));

/**
 * Files that import each other, as `a.ts → b.ts → a.ts`; each group of them is listed at least once. Imports of types
 * count, because none of the files can be read, moved or replaced without the others. At run time, top-level
 * definitions of one file are undefined in another file of the cycle, depending on which is loaded first.
 */
export const importCycles = (sources: readonly Source[]): string[] => {
  const graph = new Map(sources.map((source) => [source.path, filesOf(source)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
};
