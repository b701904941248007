/** Gathers everything that determines the result of each test file. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClosures } from './closure.ts';
import { entriesFor, filesOf, makeInputsOf } from './inputs.ts';
import type { IngredientsOf, Run } from './plan.ts';

const TEMPLATE = 'Windlass.template.json';

/** The template names the code of the functions by a hash of the bundles. */
const hashOfBundles = (outdir: string): string =>
  createHash('sha256')
    .update(readFileSync(join(outdir, TEMPLATE)))
    .digest('hex');

const PLATFORM = [process.version, process.platform, process.arch].join(' ');

/** The modules that run the deployed bundles in the test's own process. */
const RUNTIME = 'infra/local/runtime.ts';

export interface Surroundings {
  root: string;
  /** The cloud assembly. */
  outdir: string;
  /** By tool, of those that were provided. */
  identities: Readonly<Record<string, string>>;
}

/** Reads the sources of the files that are meant. Rejects as readClosures does. */
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
