import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../../shared/kinds/index.ts';
import { CLASSES, program, renderTemplates, type Template } from './render.ts';
import { TABLE } from './table.ts';
import { VARIABLES } from './variables.ts';

describe.skipIf(!program)('the cluster templates of upstream', () => {
  let templates: ReadonlyMap<string, Template>;

  beforeAll(() => {
    templates = new Map(renderTemplates(VARIABLES, {}).map((template) => [template.name, template]));
  });

  it('are all in the table', () => {
    const published = [...templates.keys()].filter((name) => !name.startsWith(CLASSES));
    expect(published.sort()).toEqual(TABLE.map(({ template }) => template).sort());
  });

  const lacking = TABLE.flatMap((row) => ('lacks' in row ? [row] : []));

  it.each(lacking)('is $result, because it needs $lacks: $template', ({ template, lacks, classes = [] }) => {
    const text = [template, ...classes].map((name) => templates.get(name)?.text).join('\n---\n');
    expect(text).toMatch(new RegExp(`^ *kind: ${lacks}$`, 'm'));
    // Upstream also refuses the template if the provider of this kind is not installed.
    expect(KINDS.filter(({ kind }) => kind === lacks)).toEqual([]);
  });

  it.each(TABLE.filter(({ result }) => result === 'empty'))('is published empty: $template', ({ template }) => {
    expect(templates.get(template)?.text.trim()).toBe('');
  });
});
