import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machinesOf } from '../docs/definition.ts';
import { withDiagrams } from '../docs/document.ts';
import { ROOT } from '../paths.ts';
import { synth } from './synth.ts';

/** Draws the diagrams of docs/architecture.md from the synthesized template. Resolves to whether they changed. */
export const docs = async (): Promise<boolean> => {
  const file = join(ROOT, 'docs', 'architecture.md');
  const { outdir } = await synth({ quiet: true });
  const before = readFileSync(file, 'utf8');
  const after = withDiagrams(before, machinesOf(outdir));
  writeFileSync(file, after);
  return after !== before;
};
