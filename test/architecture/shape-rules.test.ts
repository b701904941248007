import { describe, expect, it } from 'vitest';
import { shapeProblems } from './shape-rules.ts';
import { makeSource, readSources } from './source.ts';

const problemsOf = (path: string, text: string): string[] => shapeProblems(makeSource(path, text));

const lines = (count: number, line = 'call();'): string => Array.from({ length: count }, () => line).join('\n');

describe('sources', () => {
  it('are short, named after their contents, and contain no reminders of open work', () => {
    expect(readSources('shared', 'functions', 'infra', 'test').flatMap(shapeProblems)).toEqual([]);
  });

  it('of more than 300 lines are found', () => {
    expect(problemsOf('shared/a.ts', `${lines(300)}\n`)).toEqual([]);
    expect(problemsOf('shared/a.ts', `${lines(301)}\n`)).toEqual(['shared/a.ts: 301 lines, more than 300']);
  });

  it('with a function of more than 40 lines are found', () => {
    const text = `const long = () => {\n${lines(39)}\n};`;
    expect(problemsOf('shared/a.ts', text)).toEqual(['shared/a.ts:1: a function of 41 lines']);
    expect(problemsOf('shared/a.test.ts', text)).toEqual([]);
  });

  it('with a factory are measured without its inner functions and template strings', () => {
    const inner = `const inner = () => {\n${lines(30)}\n};`;
    expect(problemsOf('shared/a.ts', `const make = () => {\n${inner}\n${inner}\n};`)).toEqual([]);
    expect(problemsOf('shared/a.ts', `const make = () => \`\n${lines(60)}\n\`;`)).toEqual([]);
  });

  it.each([
    ['// TO\u0044O: later', 'shared/a.ts', 'a reminder'],
    ['/* FIX\u004dE (me) */', 'shared/a.ts', 'a reminder'],
    ['', 'shared/utils.ts', 'the name says nothing'],
    ['', 'functions/common/a.ts', 'the name says nothing'],
    ['', 'infra/lease-manager.ts', 'the name says nothing'],
    ['', 'shared/store/index.ts', 'no barrels'],
  ])('with %j in %s are found', (text, path, expected) => {
    expect(problemsOf(path, text).join('\n')).toContain(expected);
  });
});
