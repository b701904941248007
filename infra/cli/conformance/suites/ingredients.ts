/** Gathers everything that determines the result of each test file. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClosures } from './closure.ts';
import { entriesFor, filesOf, makeInputsOf } from './inputs.ts';
import type { IngredientsOf, Run } from './plan.ts';

const TEMPLATE = 'Windlass.template.json';

/** A hash that covers the bundles too, because the template contains a hash of them. */
const hashOfBundles = (outdir: string): string =>
  createHash('sha256')
    .update(readFileSync(join(outdir, TEMPLATE)))
    .digest('hex');

const PLATFORM = [process.version, process.platform, process.arch].join(' ');

/** The module that runs the deployed bundles in the process of the test. */
const RUNTIME = 'infra/local/runtime.ts';

export interface Surroundings {
  root: string;
  /** The cloud assembly. */
  outdir: string;
  /** By tool, for the tools that were provided. */
  identities: Readonly<Record<string, string>>;
}

/** Reads the sources of the selected files. Rejects like readClosures. */
export const makeIngredientsOf = async (
  meant: readonly Run[],
  { root, outdir, identities }: Surroundings,
): Promise<IngredientsOf> => {
  const closureOf = await readClosures(root, entriesFor(meant.map(({ file }) => file)));
  const inputsOf = makeInputsOf(closureOf, filesOf(root));
  const bundles = hashOfBundles(outdir);
  return ({ file, suite }) => {
    const inputs = inputsOf(file, suite);
    const used = (suite.tools ?? []).map((name) => [name, identities[name] ?? 'none'] as const);
    const deployed = inputs.includes(RUNTIME) ? { bundles } : {};
    return { file, inputs, tools: Object.fromEntries(used), ...deployed, platform: PLATFORM };
  };
};
