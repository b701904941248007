import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sourceFile } from '../../source-file.ts';
import { PATHS, ROOT } from '../paths.ts';

/** The inputs of the template and the bundles. */
const INPUTS = ['infra', 'functions', 'shared', 'package-lock.json', 'cdk.json'];

/** Tests, fixtures and code that only runs on a laptop do not change the deployment. */
const IRRELEVANT = [/\.test\.[jt]s$/, /^infra[\\/](local|cli)[\\/]/];

const MARK = '.inputs';

export interface SynthOptions {
  /**
   * The directory of the cloud assembly; by default `cdk.out` in the project's root, or in the state of an installed
   * package.
   */
  outdir?: string;
  /** Say nothing unless the synthesis fails. */
  quiet?: boolean;
  /** CDK context in addition to that of cdk.json, as with `cdk -c key=value`. */
  context?: Readonly<Record<string, string>>;
}

export interface Synthesized {
  outdir: string;
  /** Whether the earlier assembly was still valid. */
  reused: boolean;
}

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A hash over the names and contents of all inputs, the context and the version of Node. */
const inputsHash = (root: string, context: unknown): string => {
  const files = INPUTS.flatMap((input) => {
    const path = join(root, input);
    if (!existsSync(path)) return [];
    return input.includes('.') ? [path] : filesBelow(path);
  })
    .map((path) => relative(root, path))
    .filter((path) => !IRRELEVANT.some((pattern) => pattern.test(path)))
    .sort();
  const hash = createHash('sha256').update(JSON.stringify([process.version, context]));
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
};

/** The contents of `outdir`, because `cdk` writes there as well, with the settings of its own call. */
const assemblyHash = (outdir: string): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(outdir)
    .filter((name) => name.endsWith('.template.json'))
    .sort())
    hash.update(file).update(readFileSync(join(outdir, file)));
  return hash.digest('hex');
};

/** Runs the CDK app as a separate process, so that its memory is released at its end. */
const runApp = (root: string, outdir: string, context: unknown, quiet: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [sourceFile('infra/app')], {
      cwd: root,
      env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    const collect = (chunk: Buffer) => {
      output.push(chunk.toString());
      if (!quiet) process.stderr.write(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the template could not be synthesized:\n${output.join('').trim()}`));
    });
  });

/**
 * Synthesizes the stack into `outdir`, without an account or a network; if no input has changed, keeps the existing
 * assembly. Rejects with the CDK app's own output if the app fails.
 */
export const synth = async (options: SynthOptions = {}): Promise<Synthesized> => {
  const outdir = options.outdir ?? PATHS.assembly;
  const settings = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as { context?: object };
  const context = { ...settings.context, ...options.context };
  const mark = join(outdir, MARK);
  const hash = inputsHash(ROOT, context);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === `${hash} ${assemblyHash(outdir)}`)
    return { outdir, reused: true };
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await runApp(ROOT, outdir, context, options.quiet ?? false);
  writeFileSync(mark, `${hash} ${assemblyHash(outdir)}`);
  return { outdir, reused: false };
};
