import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { synthesizeFixture } from '../fixture-stack.ts';
import { loadAssembly } from './template.ts';

it('SUPPORT.md lists every type of resource of the template', async () => {
  const text = await readFile(new URL('SUPPORT.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| ((?:AWS|Custom)::[\w:]+) \|/gm)].map((match) => match[1]);

  const { template } = loadAssembly(synthesizeFixture());

  const used = new Set(Object.values(template.Resources).map(({ Type }) => Type));
  expect(listed).toEqual([...used].sort());
});
