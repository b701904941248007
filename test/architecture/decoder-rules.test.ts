import { describe, expect, it } from 'vitest';
import { decoderProblems, needlessExemptions } from './decoder-rules.ts';
import { makeSource, readSources } from './source.ts';

const problemsOf = (text: string, path = 'functions/a.ts'): string[] => decoderProblems(makeSource(path, text));

describe('parsers whose errors quote their input', () => {
  it('are called only in shared/decode, or where nobody sees the error', () => {
    const sources = readSources('shared', 'functions');
    expect(sources.flatMap(decoderProblems)).toEqual([]);
    expect(needlessExemptions(sources)).toEqual([]);
  });

  it.each([
    'const value = JSON.parse(text);',
    'try { JSON.parse(text); } catch (error) { log(error); }',
    'try { other(); } catch { JSON.parse(text); }',
    'try { other(); } catch {} finally { JSON.parse(text); }',
    "import { parse } from 'yaml';",
    "import { stringify, parseDocument as read } from 'yaml';",
  ])('are found in: %s', (text) => {
    expect(problemsOf(text)).toEqual([
      'functions/a.ts:1: reads text with a parser whose error quotes it: take shared/decode',
    ]);
  });

  it.each([
    ['try { JSON.parse(text); } catch { other(); }', 'functions/a.ts'],
    ["import { stringify } from 'yaml';", 'functions/a.ts'],
    ['const value = JSON.parse(text);', 'shared/decode/json.ts'],
    ['const value = JSON.parse(text);', 'infra/a.ts'],
    ['const value = JSON.parse(text);', 'functions/a.test.ts'],
  ])('are allowed in: %s', (text, path) => {
    expect(problemsOf(text, path)).toEqual([]);
  });
});
