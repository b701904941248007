import { describe, expect, it } from 'vitest';
import { CASES, REFUSED } from './cases.ts';
import { renderGoTemplate } from './render.ts';

describe('renderGoTemplate', () => {
  it.each(CASES)('$template: $text', ({ template, data, text }) => {
    expect(renderGoTemplate(template, data)).toBe(text);
  });

  it.each(REFUSED)('refuses $template', ({ template, says, data }) => {
    expect(() => renderGoTemplate(template, data ?? { controlPlane: { version: 'v1.35.0' } })).toThrow(says);
  });
});
