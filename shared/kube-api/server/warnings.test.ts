import { describe, expect, it } from 'vitest';
import { warningHeaders } from './warnings.ts';

const many = (count: number, text: string): string[] => Array.from({ length: count }, (_, index) => `${index}${text}`);
const lengthOf = (headers: readonly string[]): number => headers.reduce((sum, { length }) => sum + length, 0);

describe('the warnings of an answer', () => {
  it('are quoted, on one line, in characters that headers may have, and once each', () => {
    expect(warningHeaders(['a "b"\nc', 'é', 'é', ''])).toEqual(['299 - "a \\"b\\" c"', '299 - "?"']);
  });

  it('are complete up to 4096 characters', () => {
    const texts = ['a'.repeat(4000), 'b'.repeat(96)];
    expect(warningHeaders(texts)).toEqual(texts.map((text) => `299 - "${text}"`));
  });

  it('are truncated beyond 4096 characters, and the last ones are dropped, as by an API server', () => {
    const headers = warningHeaders(['a'.repeat(300), ...many(30, 'b'.repeat(300))]);
    expect(headers[0]).toBe(`299 - "${'a'.repeat(256)}"`);
    expect(headers).toHaveLength(16);
  });

  it.each([
    ['short', many(4000, '')],
    ['full of quotes', many(1000, '""')],
  ])('fit into the metadata of a streamed answer if they are %s', (_, texts) => {
    const headers = warningHeaders(texts);
    expect(lengthOf(headers)).toBeGreaterThan(4096);
    expect(JSON.stringify({ warning: headers.join(', ') }).length).toBeLessThan(15_000);
  });
});
