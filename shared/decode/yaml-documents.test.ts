import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readYamlDocument, readYamlDocuments, type YamlDialect } from './yaml-documents.ts';

/** Enough items that comparing each with each would exceed the test's timeout. */
const MANY = 30_000;
const many = (item: (index: number) => string, count = MANY): string =>
  Array.from({ length: count }, (_, i) => item(i)).join('');

const valueIn = (text: string, dialect?: YamlDialect) => readYamlDocument(text, dialect).read();

describe('a YAML document', () => {
  it.each([
    'a: 1\nb: {c: [1, x, ~]}\n',
    'a: 1\n"a": 2\n\'a\': 3\n',
    'x:\n  - {a: 1, a: 2, a: 3}\n  - ? a\n    : 1\n    ? a\n    : 2\n',
    '{1: a, 1.0: b, "1": c, : d, ~: e}',
    '&k a: 1\n!!str a: 2\n',
    'base: &b {x: 1, y: [2]}\nother: *b\nlist: [*b, *b]\n',
    'a: &x 1\nb: &x 2\nc: *x\n',
    '- &a a\n- {*a : 1, *a : 2}\n',
    'a: [\nb: 1',
    'a: *none',
    '',
  ])('has the same keys and value as the yaml library finds: %j', (text) => {
    const read = readYamlDocument(text);
    const document = parseDocument(text, { prettyErrors: false });
    const faults = document.errors.map(({ code, pos: [offset] }) => ({ code, offset }));
    const found = [...read.faults, ...read.duplicates].map(({ code, offset }) => ({ code, offset }));
    expect(found).toEqual(expect.arrayContaining(faults));
    expect(found).toHaveLength(faults.length);
    if (faults.length > 0) return;
    const { problem, value } = { value: undefined, ...read.read() };
    if (problem) expect(() => document.toJS()).toThrow();
    else expect(value).toEqual(document.toJS());
  });

  it('merges maps only in YAML 1.1, also with several merge keys', () => {
    const text = 'a: &a {x: 1, v: 1}\nb: &b {z: 1}\nc:\n  <<: [*a, *b]\n  x: 2\n  <<: {w: 3}\n';
    expect(readYamlDocument(text, { version: '1.1' }).duplicates).toEqual([]);
    expect(valueIn(text, { version: '1.1' })).toMatchObject({ value: { c: { x: 2, v: 1, z: 1, w: 3 } } });
    expect(readYamlDocument(text).duplicates).toMatchObject([{ key: '<<', line: 6 }]);
  });

  it('contains only types that JSON has', () => {
    const text = 'a: !!omap [x: 1]\nb: !!set {v}\nc: !!pairs [z: 1, z: 2]\n';
    const value = { a: [{ x: 1 }], b: { v: null }, c: [{ z: 1 }, { z: 2 }] };
    for (const version of ['1.1', '1.2'] as const) expect(valueIn(text, { version })).toEqual({ value });
  });

  it.each(['? [a]\n: 1\n', '{{ name }}: 1', 'a: &a {}\nb: {*a : 1}\n'])(
    'is refused if a key is a list or a map: %j',
    (text) => {
      expect(valueIn(text)).toEqual({ problem: 'COLLECTION_KEY' });
    },
  );
});

describe('a hostile YAML document', () => {
  it.each([
    ['a flow map', `{${many((index) => `k${index},`)}}`],
    ['a block map', many((index) => `k${index}: 1\n`)],
    ['an ordered map', `!!omap [${many((index) => `k${index}: 1,`)}]`],
    ['a set', `!!set {${many((index) => `k${index},`)}}`],
  ])('may have many keys in %s', (_, text) => {
    expect(readYamlDocument(text)).toMatchObject({ faults: [], duplicates: [] });
  });

  it('may have many duplicate keys', () => {
    const [document] = readYamlDocuments(
      many(() => 'a: 1\n'),
      { version: '1.1' },
    );
    expect(document?.duplicates).toHaveLength(MANY - 1);
    expect(document?.duplicates.at(-1)).toMatchObject({ key: 'a', line: MANY });
  });

  it('is refused if it contains itself', () => {
    expect(valueIn('a: &a [*a]')).toEqual({ problem: 'BAD_ALIAS' });
  });

  it('may have many anchors and aliases', () => {
    const text = `${many((index) => `- &x${index} a\n`)}${many((index) => `- *x${index}\n`)}`;
    expect(valueIn(text)).toEqual({ value: Array.from({ length: 2 * MANY }, () => 'a') });
  });

  it('is refused if its aliases multiply', () => {
    const levels = Array.from({ length: 9 }, (_, level) => `b${level}: &b${level} [${`*b${level - 1},`.repeat(9)}]\n`);
    expect(valueIn(`b: &b-1 x\n${levels.join('')}`)).toEqual({ problem: 'BAD_ALIAS' });
    expect(valueIn(`- &a [${'a,'.repeat(100_000)}]\n${'- *a\n'.repeat(40)}`)).toEqual({ problem: 'BAD_ALIAS' });
  });

  it.each(['[{', '{a: [', '- ', '? ', '['])('is refused if it is nested too deeply: %s', (opening) => {
    expect(() => readYamlDocument(opening.repeat(100_000))).toThrow(RangeError);
  });

  it('is refused if its merge keys multiply', () => {
    const text = `${'{<<: '.repeat(40)}{${many((index) => `k${index}: 1,`, 1000)}}${'}'.repeat(40)}`;
    expect(valueIn(text, { version: '1.1' })).toEqual({ problem: 'BAD_ALIAS' });
  });
});
