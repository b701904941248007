import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../paths.ts';
import { writePage } from '../ui/server/page-files.ts';

/** The package's folder for compiled code; git ignores it. */
const DIST = join(ROOT, 'dist');

/**
 * Included in the package beside the code: the settings of the CDK, the version, and files that users read or apply.
 */
const COPIED = ['cdk.json', 'package.json', 'examples', 'docs', 'CHANGELOG.md'];

const SETTINGS = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    // `npm run check` checks the types.
    noCheck: true,
    rewriteRelativeImportExtensions: true,
    outDir: DIST,
    rootDir: ROOT,
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  },
  include: ['infra', 'functions', 'shared'].map((folder) => join(ROOT, folder)),
  // Its code is for browsers, and bundled.
  exclude: [join(ROOT, '**', '*.test.ts'), join(ROOT, 'infra', 'cli', 'ui', 'page')],
};

const compile = (project: string): void => {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('the code could not be compiled');
};

/** Compiles the code to JavaScript for `npm pack`: Node.js strips no types in installed packages. */
export const buildPackage = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-build-'));
  try {
    rmSync(DIST, { recursive: true, force: true });
    mkdirSync(DIST, { recursive: true });
    const project = join(directory, 'tsconfig.json');
    writeFileSync(project, JSON.stringify(SETTINGS));
    compile(project);
    await writePage(join(DIST, 'infra', 'cli', 'ui', 'server'));
    for (const name of COPIED) cpSync(join(ROOT, name), join(DIST, name), { recursive: true });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
