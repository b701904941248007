import { expect, it } from 'vitest';
import { inOrder } from './order.ts';

it('begins with the longest, and with what was never timed', () => {
  const files = [
    { file: 'short', milliseconds: 1, computes: false },
    { file: 'long', milliseconds: 90, computes: false },
    { file: 'new', computes: false },
  ];
  expect(inOrder(files)).toEqual(['new', 'long', 'short']);
});

it('begins with what is known to be long where nothing was timed', () => {
  const files = [
    { file: 'a', computes: false },
    { file: 'b', computes: false, isLong: true },
    { file: 'c', milliseconds: 9, computes: false, isLong: true },
    { file: 'd', milliseconds: 90, computes: false },
  ];
  expect(inOrder(files)).toEqual(['b', 'a', 'd', 'c']);
});

it('spreads files that compute among those that wait', () => {
  const waiting = ['a', 'b', 'c', 'd', 'e'].map((file) => ({ file, computes: false }));
  const computing = ['X', 'Y', 'Z'].map((file) => ({ file, computes: true }));
  expect(inOrder([...computing, ...waiting])).toEqual(['a', 'b', 'c', 'X', 'd', 'e', 'Y', 'Z']);
});

it('keeps every file', () => {
  const files = Array.from({ length: 20 }, (_, file) => ({ file, milliseconds: file % 7, computes: file % 2 === 0 }));
  expect(inOrder(files).toSorted((a, b) => a - b)).toEqual(files.map(({ file }) => file));
});
