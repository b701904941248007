import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundlePage } from './page-files.ts';

const MOST_BYTES = 250_000;

it('bundles a small page that its content security policy allows', async () => {
  const { script, style } = await bundlePage();

  expect(style).toContain('prefers-color-scheme');
  expect(script.length).toBeGreaterThan(20_000);
  expect(gzipSync(script).length + gzipSync(style).length).toBeLessThan(MOST_BYTES);
  expect(script).not.toMatch(/\beval\(|new Function\(|from"node:|require\("/);
});
