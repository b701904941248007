/** The CDK app. Both `cdk synth` and `npm run synth` run this file; it needs neither an account nor a network. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFunctions } from './bundle/bundle.ts';
import { ENTRIES } from './bundle/entries.ts';
import { controlPlane } from './control-plane-stack.ts';

const root = join(import.meta.dirname, '..');
/** The assembly keeps a copy of the bundles. */
const bundles = mkdtempSync(join(tmpdir(), 'windlass-bundles-'));

try {
  await bundleFunctions({ root, entries: ENTRIES, outdir: bundles });
  const app = new App();
  // The CDK sets it to the region that it deploys to.
  controlPlane(app, bundles, { region: process.env.CDK_DEFAULT_REGION });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  app.synth();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(bundles, { recursive: true, force: true });
}
