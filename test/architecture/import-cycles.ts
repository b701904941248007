import { importsOf, type Source } from './source.ts';

const runsWith = (source: Source): string[] =>
  importsOf(source).flatMap(({ target, typeOnly }) => (typeOnly || !target.endsWith('.ts') ? [] : [target]));

/**
 * Files that need each other to run, each ring once, as `a.ts → b.ts → a.ts`. What such a file has at its top is undefined
 * for the other, or not, by who is loaded first; imports of types alone are gone by then.
 */
export const importCycles = (sources: readonly Source[]): string[] => {
  const graph = new Map(sources.map((source) => [source.path, runsWith(source)]));
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
