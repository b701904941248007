/** Rules that cel-go's cost does not limit, because they do much for one unit. */
import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { CostError, Work } from '../work.ts';
import { validateRules } from './rules.ts';

const detailsOf = (rule: string, value: unknown, schema: OpenApiSchema = { type: 'string' }, work?: Work): string[] => {
  const rules = { ...schema, 'x-kubernetes-validations': [{ rule }] };
  return validateRules(rules, value, undefined, '', work ? { work } : {}).map(({ detail = '' }) => detail);
};

const CANCELLED = [expect.stringContaining('actual cost limit exceeded')];

describe('a rule', () => {
  it.each([
    ['compares a long list in each round', 'lists.range(100000).all(i, self == self)', 'array'],
    ['creates a long text', 'self.replace("", self).size() > 0', 'string'],
    ['joins a long text with itself', 'lists.range(10000).map(i, self).join("").size() > 0', 'string'],
    ['searches a long text for a long one', 'self.indexOf(self.substring(0, 70000) + "b") < 0', 'string'],
    ['has a pattern with many states', 'self.matches("[ab]*a[ab]{900}[cd]")', 'string'],
  ])('is stopped if it %s', (_, rule, type) => {
    const text = 'a'.repeat(150_000);
    const list = Array.from({ length: 100_000 }, () => 'a');
    const schema: OpenApiSchema = type === 'array' ? { type, items: { type: 'string' } } : { type: 'string' };
    expect(detailsOf(rule, type === 'array' ? list : text, schema)).toEqual(CANCELLED);
  });

  it('is refused if its macros double it many times', () => {
    const rule = `self.?a${'.optMap(x, x)'.repeat(20)}.hasValue()`;
    const schema: OpenApiSchema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(detailsOf(rule, {}, schema)).toEqual([expect.stringContaining('macros of the expression are too complex')]);
  });

  it('is refused if the types of its parts double many times', () => {
    const names = Array.from({ length: 24 }, (_, index) => `a${index}`);
    const rule = names.reduceRight(
      (inner, name, index) =>
        `[${index === 0 ? '1' : `{${names[index - 1]}: ${names[index - 1]}}`}].all(${name}, ${inner})`,
      'true',
    );
    expect(detailsOf(rule, 'a')).toEqual([expect.stringContaining('type that is too complex')]);
  });

  it('may collect a long list, whose rounds copy nothing', () => {
    expect(detailsOf('lists.range(50000).map(i, i).size() == 50000', 'a')).toEqual([]);
    expect(detailsOf('lists.range(30000).transformMap(i, v, i).size() == 30000', 'a')).toEqual([]);
  });

  it('collects in each loop for itself, and leaves other lists as they are', () => {
    const rule =
      '[1, 2].map(i, [1, 2, 3].filter(j, j != i) + [i]) == [[2, 3, 1], [1, 3, 2]] && [[1], [1]].map(l, l + [2]) == [[1, 2], [1, 2]]';
    expect(detailsOf(rule, 'a')).toEqual([]);
  });

  it('takes part in what all values of an object may do', () => {
    const work = new Work();
    const rule = 'lists.range(1000).all(i, i >= 0)';
    expect(detailsOf(rule, 'a', undefined, work)).toEqual([]);
    work.do(399_800_000);
    expect(detailsOf(rule, 'a', undefined, work)).toEqual([expect.stringMatching(/cost limit exceeded|cost budget/)]);
    expect(() => work.do(1_000_000_000)).toThrow(CostError);
  });
});
