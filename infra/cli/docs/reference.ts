import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../../../shared/kinds/index.ts';
import { loadTexts } from '../../../shared/kinds/load-texts.ts';
import { ROOT } from '../paths.ts';
import { type Examples, indexPage, kindPage, pageName } from './reference-page.ts';

const EXAMPLES = join(ROOT, 'examples');

/** The folder of the pages, which contains nothing else. */
export const REFERENCE = join(ROOT, 'docs', 'reference');

const readExamples = (): Examples =>
  new Map(
    readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => [file, readFileSync(join(EXAMPLES, file), 'utf8')]),
  );

/** The pages of docs/reference by their file names. */
export const referencePages = async (): Promise<ReadonlyMap<string, string>> => {
  const textsOf = await loadTexts();
  const examples = readExamples();
  return new Map([
    ['README.md', indexPage(KINDS, textsOf)],
    ...KINDS.map((kind): [string, string] => [pageName(kind), kindPage(kind, textsOf, examples)]),
  ]);
};
