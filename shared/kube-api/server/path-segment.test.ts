import { expect, it } from 'vitest';
import { decodeSegment } from './path-segment.ts';

it.each([
  ['plain', 'plain'],
  ['a%20b%2Fc', 'a b/c'],
  ['%C3%A9', 'é'],
  ['é', 'é'],
  ['%ff', '\ufffd'],
  ['%zz', undefined],
  ['%', undefined],
])('%s says %s', (segment, said) => {
  expect(decodeSegment(segment)).toBe(said);
});
