import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './paths.ts';

it('keeps the compile cache of commands beside the packages, so that they start faster', () => {
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'infra', 'cli', 'windlass.ts'), '--help'], {
    encoding: 'utf8',
    env,
  });

  expect(status).toBe(0);
  expect(stderr).toContain(join('node_modules', '.cache', 'windlass'));
});
