import { describe, expect, it } from 'vitest';
import { proseFiles, proseProblems, proseProblemsOf } from './prose-rules.ts';

describe('prose', () => {
  it('is written in plain English, in documents, messages and comments', () => {
    const files = proseFiles();
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap(proseProblemsOf)).toEqual([]);
  });

  it.each([
    ['They are simulated for good', 'permanently, thoroughly'],
    ['a cluster comes to be', 'comes up'],
    ['Who deploys needs a role', 'Whoever deploys'],
    ['Changed behind our back and set right', 'outside Windlass'],
    ['a plan takes it that machines come up', 'assumes that'],
  ])('does not say: %s', (text, instead) => {
    expect(proseProblems('a.md', text).join()).toContain(instead);
  });

  it.each(['a good reason, set to right-aligned', 'It looks afterwards', 'brought it about the house'])(
    'may say: %s',
    (text) => {
      expect(proseProblems('a.md', text)).toEqual([]);
    },
  );
});
