import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KNOWN_DIFFERENCES } from './known-differences.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'compatibility.md');

it.each(KNOWN_DIFFERENCES)('is documented in docs/compatibility.md: $here', ({ here, upstream, because }) => {
  expect(readFileSync(PAGE, 'utf8')).toContain(`| ${here} | ${upstream} | ${because} |`);
});
