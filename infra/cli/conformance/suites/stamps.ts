/** Stamps record which test files have passed, and with which ingredients, so that unchanged ones do not run again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that determines the result of a test file. */
export interface Ingredients {
  /** The test file, relative to the root. */
  file: string;
  /** Paths of the files that it depends on, sorted. */
  inputs: readonly string[];
  /** The identities of the programs that it uses, by name. */
  tools: Readonly<Record<string, string>>;
  /** Identifies the deployed bundles, if the file uses them. */
  bundles?: string;
  /** The version of Node.js, the operating system and the processor. */
  platform: string;
}

interface Stamp {
  file: string;
  hash: string;
  tests: number;
}

/**
 * A hash of the names and contents of everything on which a test file depends. An input that does not exist is included
 * as such.
 */
export const hashOf = (root: string, { file, inputs, tools, bundles, platform }: Ingredients): string => {
  const hash = createHash('sha256').update(JSON.stringify([file, Object.entries(tools).toSorted(), bundles, platform]));
  for (const input of inputs) {
    const path = join(root, input);
    const content = existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'none';
    hash.update(`\0${input}\0${content}`);
  }
  return hash.digest('hex');
};

export interface Stamps {
  /** The number of tests that passed in this file with exactly this hash, or undefined if unknown. */
  find(file: string, hash: string): number | undefined;
  /** Records that all tests of the file have passed. */
  keep(file: string, hash: string, tests: number): void;
}

const isStamp = (value: unknown): value is Stamp =>
  typeof value === 'object' && value !== null && 'file' in value && 'hash' in value && 'tests' in value;

/** The stamp in a file, or undefined if the file is missing or does not contain a valid stamp. */
const read = (path: string): Stamp | undefined => {
  if (!existsSync(path)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isStamp(found) ? found : undefined;
  } catch {
    // An incomplete or unrelated file counts as no stamp, so the test runs.
    return undefined;
  }
};

/** Stamps in a directory, in one file each, named after the hash. */
export const makeStamps = (directory: string): Stamps => {
  const pathOf = (hash: string): string => join(directory, `${hash}.json`);
  return {
    find: (file, hash) => {
      const stamp = read(pathOf(hash));
      return stamp?.file === file && stamp.hash === hash ? stamp.tests : undefined;
    },
    keep: (file, hash, tests) => {
      mkdirSync(directory, { recursive: true });
      const unfinished = `${pathOf(hash)}.${process.pid}`;
      writeFileSync(unfinished, JSON.stringify({ file, hash, tests } satisfies Stamp));
      renameSync(unfinished, pathOf(hash));
    },
  };
};
