import { expect, it } from 'vitest';
import { decodePath, segmentsOf } from './path-segment.ts';

it.each([
  ['plain', 'plain'],
  ['a%20b%2Fc', 'a b/c'],
  ['%C3%A9', 'é'],
  ['é', 'é'],
  ['%ff', '\ufffd'],
  ['%zz', undefined],
  ['%', undefined],
])('%s is decoded as %s', (segment, said) => {
  expect(decodePath(segment)).toBe(said);
});

it.each([
  ['/api/v1', ['api', 'v1']],
  ['/api/v1//', ['api', 'v1']],
  ['//api', ['api']],
  ['/api//v1', ['api', '', 'v1']],
  ['/', ['']],
])('%s has the segments %j', (path, segments) => {
  expect(segmentsOf(path)).toEqual(segments);
});
