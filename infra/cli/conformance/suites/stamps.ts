/** Stamps: which test files passed, and with what they passed, so that what is unchanged and green need not run again. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** All that decides what a test file finds. */
export interface Ingredients {
  /** The test file, relative to the root. */
  file: string;
  /** Paths of the files that it depends on, sorted. */
  inputs: readonly string[];
  /** What identifies the programs that it uses, by their names. */
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

/** A hash over the names and the contents of all that a test file depends on. An input that is gone counts as such. */
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
  /** How many tests passed in this file with exactly this, or undefined if unknown. */
  find(file: string, hash: string): number | undefined;
  /** Remembers that all tests of the file passed. */
  keep(file: string, hash: string, tests: number): void;
}

const isStamp = (value: unknown): value is Stamp =>
  typeof value === 'object' && value !== null && 'file' in value && 'hash' in value && 'tests' in value;

/** The stamp in a file, or undefined for one that is missing, broken, or of something else. */
const read = (path: string): Stamp | undefined => {
  if (!existsSync(path)) return undefined;
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isStamp(found) ? found : undefined;
  } catch {
    // Half written, or not ours: as good as none, and the test runs.
    return undefined;
  }
};

/** Stamps in a directory, one file each, named by the hash. */
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
