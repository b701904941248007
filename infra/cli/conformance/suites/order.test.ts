import { expect, it } from 'vitest';
import { inOrder } from './order.ts';

it('starts with files that have never been timed, then the longest', () => {
  const files = [
    { file: 'short', milliseconds: 1, computes: false },
    { file: 'long', milliseconds: 90, computes: false },
    { file: 'new', computes: false },
  ];
  expect(inOrder(files)).toEqual(['new', 'long', 'short']);
});

it('starts with files that are declared long if nothing was timed', () => {
  const files = [
    { file: 'a', computes: false },
    { file: 'b', computes: false, isLong: true },
    { file: 'c', milliseconds: 9, computes: false, isLong: true },
    { file: 'd', milliseconds: 90, computes: false },
  ];
  expect(inOrder(files)).toEqual(['b', 'a', 'd', 'c']);
});

it('spreads CPU-bound files among files that wait', () => {
  const waiting = ['a', 'b', 'c', 'd', 'e'].map((file) => ({ file, computes: false }));
  const computing = ['X', 'Y', 'Z'].map((file) => ({ file, computes: true }));
  expect(inOrder([...computing, ...waiting])).toEqual(['a', 'b', 'c', 'X', 'd', 'e', 'Y', 'Z']);
});

it('keeps all files', () => {
  const files = Array.from({ length: 20 }, (_, file) => ({ file, milliseconds: file % 7, computes: file % 2 === 0 }));
  expect(inOrder(files).toSorted((a, b) => a - b)).toEqual(files.map(({ file }) => file));
});
