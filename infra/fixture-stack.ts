/** The real stack with a test's own handlers, for tests of the template and of the laptop's runtime. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FUNCTION_NAMES, type FunctionName } from './bundle/entries.ts';
import { controlPlane } from './control-plane-stack.ts';

export interface FixtureOptions {
  /** The source of a function's bundle; a function without one answers `null`. */
  sources?: Readonly<Partial<Record<FunctionName, string>>>;
  /** A directory with bundles, instead of those built from the sources. */
  bundles?: string;
  context?: Readonly<Record<string, unknown>>;
  /** The region of deployment. */
  region?: string;
  /** Runs cdk-nag and the CDK's own rules, as `infra/app.ts` does, which takes seconds in each process. */
  nag?: boolean;
}

const ANSWER_NULL = 'export const handler = async () => null;';

const writeBundles = (directory: string, sources: FixtureOptions['sources'] = {}): string => {
  for (const name of FUNCTION_NAMES) {
    const bundle = join(directory, name);
    mkdirSync(bundle, { recursive: true });
    writeFileSync(join(bundle, 'index.mjs'), sources[name] ?? ANSWER_NULL);
  }
  return directory;
};

/** Synthesizes the stack into a new temporary directory and returns the path of the cloud assembly. */
export const synthesizeFixture = (options: FixtureOptions = {}): string => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-'));
  const outdir = join(directory, 'cdk.out');
  const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'cdk.json'), 'utf8')) as {
    context: Record<string, unknown>;
  };
  const app = new App({
    outdir,
    context: { ...context, ...options.context },
    analyticsReporting: false,
    builtinCloudFormationValidation: options.nag ?? false,
  });
  const bundles = options.bundles ?? writeBundles(join(directory, 'bundles'), options.sources);
  controlPlane(app, bundles, { region: options.region });
  if (options.nag) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
  return outdir;
};
