import { describe, expect, it } from 'vitest';
import { formatCauses, invalidValue, summarize } from './field-error.ts';

const long = 'x'.repeat(1_000_000);
const errorsOf = (count: number, value: unknown) =>
  Array.from({ length: count }, (_, index) => invalidValue(`spec.items[${index}]`, value, 'must be shorter'));

describe('a refusal', () => {
  it('shows the whole value of a single error', () => {
    expect(summarize(errorsOf(1, long))).toBe(`spec.items[0]: Invalid value: "${long}": must be shorter`);
    expect(formatCauses(errorsOf(1, long))[0]?.message).toContain(long);
  });

  it.each([
    ['text', long],
    ['list', [long]],
  ])('with several errors shows only the beginning of a long %s', (_, value) => {
    expect(summarize(errorsOf(3, value)).length).toBeLessThan(7_000);
    expect(formatCauses(errorsOf(3, value)).map(({ message }) => message.length < 2_100)).toEqual([true, true, true]);
  });

  it('names at most 100 errors, and counts the others', () => {
    expect(summarize(errorsOf(102, 1))).toMatch(/^\[spec\.items\[0\]: .*spec\.items\[99\]: [^,]*, and 2 more\]$/);
    expect(formatCauses(errorsOf(102, 1))).toHaveLength(100);
    expect(summarize(errorsOf(2, 1))).toMatch(/^\[spec\.items\[0\]: [^,]*, spec\.items\[1\]: [^,]*\]$/);
  });
});
