import { expect, it } from 'vitest';
import { quote } from './quote.ts';

it.each([
  ['plain "text" \\', String.raw`"plain \"text\" \\"`],
  ['\u0001\n\t', String.raw`"\x01\n\t"`],
  ['naïve 日本', '"naïve 日本"'],
  ['\u00a0\u200b', String.raw`"\u00a0\u200b"`],
  ['\u{e0001}', String.raw`"\U000e0001"`],
])('%j is quoted as in Go', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
