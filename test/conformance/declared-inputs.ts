/**
 * Fails a test file that reads a file of the checkout, or runs a program, that its stamp does not cover: a change to it
 * would not cause the test to run again. Active only if `npm run conformance` declares what the stamps cover.
 */
import child from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import { afterAll, expect } from 'vitest';

interface Declared {
  inputs: readonly string[];
  tools?: readonly string[];
  drives?: boolean;
}

const ROOT = join(import.meta.dirname, '..', '..');

/** Programs that differ between computers. A suite must declare those that it uses. */
const PROGRAMS: Readonly<Record<string, string>> = {
  aws: 'aws',
  clusterctl: 'clusterctl',
  go: 'go',
  kubectl: 'kubectl',
};

/** Folders that are generated, or that are not part of the checkout. */
const MADE = ['cdk.out', '.windlass', '.git', 'node_modules'];

const pathOf = (place: unknown): string | undefined => {
  const text = place instanceof URL ? place.pathname : String(place);
  const path = relative(ROOT, resolve(text)).split(sep).join('/');
  return path.startsWith('..') || path === '' || MADE.includes(path.split('/')[0] ?? '') ? undefined : path;
};

const readBy = new Set<string>();
const started = new Set<string>();

/** Wraps a function of a module so that `hear` receives the arguments of each call first. */
const listen = (module: object, member: string, hear: (...args: unknown[]) => void): void => {
  const members = module as Record<string, (...args: unknown[]) => unknown>;
  const original = members[member];
  if (original === undefined) throw new Error(`there is no ${member}`);
  const listening = (...args: unknown[]): unknown => {
    hear(...args);
    return original.apply(module, args);
  };
  // Some functions have a property that determines how they are promisified.
  members[member] = Object.defineProperties(listening, Object.getOwnPropertyDescriptors(original));
};

const hearRead = (place: unknown): void => {
  const path = typeof place === 'number' ? undefined : pathOf(place);
  if (path !== undefined) readBy.add(path);
};
const hearStart = (program: unknown, args: unknown): void => {
  const name = PROGRAMS[basename(String(program))];
  if (name !== undefined) started.add(name);
  for (const arg of Array.isArray(args) ? args : []) if (/^[\w./-]+\.ts$/.test(String(arg))) hearRead(arg);
};

const file = process.env.WINDLASS_DECLARED_INPUTS;
if (file !== undefined) {
  const declared = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Declared>;
  for (const member of ['readFileSync', 'readFile', 'createReadStream']) listen(fs, member, hearRead);
  listen(fs.promises, 'readFile', hearRead);
  for (const member of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) listen(child, member, hearStart);
  syncBuiltinESMExports();

  afterAll(() => {
    const self = relative(ROOT, expect.getState().testPath ?? '')
      .split(sep)
      .join('/');
    const { inputs = [], tools = [] } = declared[self] ?? {};
    const unknown = {
      files: [...readBy].filter((path) => !inputs.includes(path)),
      programs: [...started].filter((name) => !tools.includes(name)),
    };
    expect(unknown, `declare them in infra/cli/conformance/suites/suites.ts`).toEqual({ files: [], programs: [] });
  });
}
