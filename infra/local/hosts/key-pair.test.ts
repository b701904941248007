import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { keyPair } from './key-pair.ts';

const PAIRS = 2000;

it('generates only readable keys', () => {
  const unreadable = Array.from({ length: PAIRS }, keyPair).filter(
    (pair) => ssh2.utils.parseKey(pair.public) instanceof Error || ssh2.utils.parseKey(pair.private) instanceof Error,
  );
  expect(unreadable).toEqual([]);
});
