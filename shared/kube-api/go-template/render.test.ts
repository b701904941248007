import { describe, expect, it } from 'vitest';
import { CASES, REFUSED, STRICT_CASES, STRICT_REFUSED } from './cases.ts';
import { BUILTINS } from './functions.ts';
import { parseTemplate } from './parse.ts';
import { renderGoTemplate, renderParsed } from './render.ts';

describe('renderGoTemplate', () => {
  it.each(CASES)('$template: $text', ({ template, data, text }) => {
    expect(renderGoTemplate(template, data)).toBe(text);
  });

  it.each(REFUSED)('refuses $template', ({ template, says, data }) => {
    expect(() => renderGoTemplate(template, data ?? { controlPlane: { version: 'v1.35.0' } })).toThrow(says);
  });
});

describe('renderParsed, where keys are required', () => {
  const render = (template: string, data: (typeof STRICT_CASES)[number]['data']) =>
    renderParsed(parseTemplate(template, BUILTINS), data, { requiresKeys: true });

  it.each(STRICT_CASES)('$template: $text', ({ template, data, text }) => {
    expect(render(template, data)).toBe(text);
  });

  it.each(STRICT_REFUSED)('refuses $template', ({ template, says, data }) => {
    expect(() => render(template, data)).toThrow(says);
  });
});
