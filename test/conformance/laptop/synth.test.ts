import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { synth } from '../../../infra/cli/commands/synth.ts';
import { LIMIT } from '../../../shared/test-patience.ts';

const TEMPLATE = 'Windlass.template.json';

it('the same template is synthesized again, and reused until its inputs or the template itself change', {
  timeout: LIMIT,
}, async () => {
  const again = join(mkdtempSync(join(tmpdir(), 'windlass-again-')), 'cdk.out');
  expect((await synth({ outdir: again, quiet: true })).reused).toBe(false);
  expect(readFileSync(join(again, TEMPLATE), 'utf8')).toBe(readFileSync(join(inject('outdir'), TEMPLATE), 'utf8'));
  expect((await synth({ outdir: again, quiet: true })).reused).toBe(true);

  // `cdk deploy` with other settings leaves a different template.
  writeFileSync(join(again, TEMPLATE), '{}');
  expect((await synth({ outdir: again, quiet: true })).reused).toBe(false);
});
