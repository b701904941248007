import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { synth } from '../../../infra/cli/commands/synth.ts';

const TEMPLATE = 'Windlass.template.json';

it('makes the same template again, and keeps it while its inputs do not change', async () => {
  const again = join(mkdtempSync(join(tmpdir(), 'windlass-again-')), 'cdk.out');
  expect((await synth({ outdir: again, quiet: true })).reused).toBe(false);
  expect(readFileSync(join(again, TEMPLATE), 'utf8')).toBe(readFileSync(join(inject('outdir'), TEMPLATE), 'utf8'));
  expect((await synth({ outdir: again, quiet: true })).reused).toBe(true);
}, 120_000);
