/** Builds Go programs that are libraries with a small command, from modules of the Go proxy. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunTool } from './run-tool.ts';

export interface GoProgram {
  name: string;
  /** The source of the command. */
  main: string;
  /** The modules that it needs, such as `k8s.io/kubectl@v0.34.1`. */
  modules: readonly string[];
  /** Variables that the linker sets, such as the program's version. */
  variables?: Readonly<Record<string, string>>;
  /**
   * A module whose go.mod requires version v0.0.0 of modules in the same repository, as in Kubernetes. Outside this
   * repository, those must be replaced with `version`.
   */
  siblingsOf?: { module: string; version: string };
}

/** The lowest priority, because a build of several minutes should not disturb other work. */
const NICE = ['-n', '19', 'go'];

/**
 * Builds the program into `directory`, which never contains a partial one. Throws an Error with Go's message if that
 * fails.
 */
export const buildGoProgram = (program: GoProgram, directory: string, run: RunTool): void => {
  const { name, main, modules, variables = {}, siblingsOf } = program;
  const source = join(directory, `${name}.src`);
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'main.go'), main);
  const go = (...args: string[]): string => {
    const options = { cwd: source, env: { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' } };
    const { status, stdout, stderr } = run('nice', [...NICE, ...args], options);
    if (status !== 0) throw new Error(`${name} could not be built: go ${args.join(' ')}:\n${stderr.trim()}`);
    return stdout;
  };
  if (!existsSync(join(source, 'go.mod'))) go('mod', 'init', `windlass.example/${name}`);
  if (siblingsOf) go('mod', 'edit', ...replacements(siblingsOf, go));
  go('get', ...modules);
  const stamps = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`);
  go('build', '-ldflags', ['-s', '-w', ...stamps].join(' '), '-o', `${name}.new`, '.');
  renameSync(join(source, `${name}.new`), join(directory, name));
};

const replacements = (
  { module, version }: { module: string; version: string },
  go: (...args: string[]) => string,
): string[] => {
  const { GoMod } = JSON.parse(go('mod', 'download', '-json', module)) as { GoMod: string };
  // The siblings are the modules that the module itself replaces with folders of its repository.
  const siblings = [...readFileSync(GoMod, 'utf8').matchAll(/^\s*(\S+) => \.\//gm)].map(([, sibling]) => sibling);
  return siblings.map((sibling) => `-replace=${sibling}=${sibling}@${version}`);
};
