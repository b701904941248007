import { describe, expect, it } from 'vitest';
import { renderGoTemplate } from '../render.ts';
import { SPRIG_CASES } from './cases.ts';
import { SPRIG } from './sprig.ts';

describe("sprig's functions", () => {
  it.each(SPRIG_CASES)('$template: $text', ({ template, data, text }) => {
    expect(renderGoTemplate(template, data, SPRIG)).toBe(text);
  });

  it.each([
    ['{{ now }}', 'uses now, which is not supported here'],
    ['{{ genCA "a" 1 }}', 'uses genCA, which is not supported here'],
    ['{{ fail "secret" }}', 'calls fail'],
    ['{{ upper 1 }}', 'calls upper with something that is not text'],
    ['{{ repeat 1000000 "a" }}', 'calls repeat for too much text'],
    ['{{ regexMatch "(" "a" }}', 'has a regular expression that is not valid'],
  ])('refuse %s', (template, why) => {
    expect(() => renderGoTemplate(template, {}, SPRIG)).toThrow(why);
  });
});
