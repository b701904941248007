import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source.ts';

/** Everything at the top level; files that tools create there are in .gitignore. */
const TOP_LEVEL = [
  '.ci',
  '.github',
  '.gitignore',
  '.npmrc',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'biome.json',
  'cdk.json',
  'docs',
  'examples',
  'functions',
  'infra',
  'package-lock.json',
  'package.json',
  'shared',
  'test',
  'tsconfig.json',
  'vitest.config.ts',
];

interface Package {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const project = JSON.parse(read('package.json')) as Package;

/** Names that git does not ignore; a downloaded archive has no git and no ignored files. */
const topLevel = (): string[] => {
  const names = readdirSync(ROOT).filter((name) => name !== '.git');
  if (!existsSync(join(ROOT, '.git'))) return names;
  const ignored = execFileSync('git', ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const gone = new Set(ignored.split('\n').map((line) => line.replace(/\/$/, '')));
  return names.filter((name) => !gone.has(name));
};

describe('the project', () => {
  it('has nothing at the top level but the expected files and folders', () => {
    expect(topLevel().filter((name) => !TOP_LEVEL.includes(name))).toEqual([]);
  });

  it('has the folders that the README lists', () => {
    const listed = [...read('README.md').matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name);
    const folders = topLevel().filter((name) => !name.startsWith('.') && lstatSync(join(ROOT, name)).isDirectory());

    expect(folders.sort()).toEqual(listed.sort());
  });

  it('pins every dependency exactly, and the lockfile agrees', () => {
    const wanted = { ...project.dependencies, ...project.devDependencies };
    const inexact = Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    const locked = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
    const different = Object.entries(wanted).filter(
      ([name, version]) => locked.packages[`node_modules/${name}`]?.version !== version,
    );

    expect({ inexact, different }).toEqual({ inexact: [], different: [] });
  });

  it('locks the optional packages of all platforms, which npm ci requires', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { inBundle?: boolean; optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages)
      .filter(([, { inBundle }]) => !inBundle)
      .flatMap(([path, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter(
          (name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
        ),
      );

    expect(missing).toEqual([]);
  });

  it('has no registry URLs in the lockfile', () => {
    expect(read('package-lock.json').match(/"resolved": .*/g) ?? []).toEqual([]);
  });

  it('lists in the README what .ci/run runs', () => {
    const [, test = ''] = /^\| `(npm test)`, `npm run check` \|/m.exec(read('README.md')) ?? [];
    const ran = read('.ci/run')
      .match(/^ *run npm (ci|test|run [\w-]+)/gm)
      ?.map((line) => line.replace(/^ *run /, ''));

    expect(ran).toEqual(['npm ci', test, 'npm run check', 'npm run synth', 'npm run conformance']);
  });

  it('has all required npm scripts', () => {
    const wanted = ['start', 'demo', 'test', 'check', 'synth', 'deploy', 'conformance', 'simulate', 'bench'];
    expect(wanted.filter((name) => project.scripts[name] === undefined)).toEqual([]);
  });
});
