/** Creates builds with a defect from a correct build. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/**
 * The changed modules and everything that imports one of them. Names of modules contain hashes, so no other text
 * contains them.
 */
const affectedBy = (texts: ReadonlyMap<string, string>, changed: ReadonlyMap<string, string>): Set<string> => {
  const affected = new Set(changed.keys());
  for (let size = 0; size < affected.size; ) {
    size = affected.size;
    const names = [...affected].map((file) => basename(file));
    for (const [file, text] of texts) if (names.some((name) => text.includes(`/${name}"`))) affected.add(file);
  }
  return affected;
};

/**
 * Writes a copy of an assembly with a change in its bundles, as a build with a defect would have it. Returns the path
 * of the copy; undefined if nothing changes. Modules that the change does not affect are links, so that a process that
 * has already compiled them for another build need not do so again.
 */
export const mutate = (
  { outdir, mutant }: { outdir: string; mutant: string },
  pattern: RegExp,
  replacement: string,
): string | undefined => {
  const files = readdirSync(outdir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(outdir, join(entry.parentPath, entry.name)));
  const modules = files.filter((file) => file.endsWith('.mjs'));
  const texts = new Map(modules.map((file) => [file, readFileSync(join(outdir, file), 'utf8')]));
  const changed = new Map([...texts].map(([file, text]) => [file, text.replace(pattern, replacement)]));
  for (const [file, text] of texts) if (changed.get(file) === text) changed.delete(file);
  const affected = affectedBy(texts, changed);
  for (const file of files) {
    mkdirSync(dirname(join(mutant, file)), { recursive: true });
    const text = affected.has(file) ? (changed.get(file) ?? texts.get(file)) : undefined;
    if (text === undefined) symlinkSync(join(outdir, file), join(mutant, file));
    else writeFileSync(join(mutant, file), text);
  }
  return changed.size === 0 ? undefined : mutant;
};
