import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/**
 * In a separate process: dynalite takes the class of its store when it is loaded, and another test may already have
 * loaded it.
 */
const PROGRAM = `
  import { createRequire } from 'node:module';
  await import('./quick-dynalite.ts');
  const { create } = createRequire(import.meta.url)('dynalite/db');
  console.log(JSON.stringify(create({}).db.supports.encodings));
`;

it('stores items in memory as text, not as bytes', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: import.meta.dirname });
  const encodings = JSON.parse(said.toString()) as object;
  expect(encodings).toMatchObject({ utf8: true });
  expect(encodings).not.toHaveProperty('buffer');
});
