import { describe, expect, it } from 'vitest';
import { patienceProblems } from './patience-rules.ts';
import { makeSource, readSources } from './source.ts';

const problemsOf = (text: string): string[] => patienceProblems(makeSource('shared/a.test.ts', text));

describe('tests that wait for an event', () => {
  it('wait as long as a busy computer needs', () => {
    expect(readSources('shared', 'functions', 'infra', 'test').flatMap(patienceProblems)).toEqual([]);
  });

  it.each([
    ['expect.poll', 'await expect.poll(() => seen).toBe(1);'],
    ['vi.waitFor', 'await vi.waitFor(() => expect(seen).toBe(1));'],
    ['vi.waitUntil', 'await vi.waitUntil(() => seen);'],
  ])('%s is found in: %s', (wait, text) => {
    expect(problemsOf(text)).toEqual([
      `shared/a.test.ts:1: ${wait} waits for one second: pass PATIENCE of shared/test-patience.ts`,
    ]);
  });

  it.each(['await expect.poll(() => seen, PATIENCE).toBe(1);', 'feed.poll();', "const text = 'expect.poll(seen)';"])(
    'nothing is found in: %s',
    (text) => {
      expect(problemsOf(text)).toEqual([]);
    },
  );
});
