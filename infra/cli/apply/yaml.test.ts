import { expect, it } from 'vitest';
import { yamlDocuments } from './yaml.ts';

/** The expected values are those of sigs.k8s.io/yaml 1.6.0, which kubectl uses. */
it.each([
  ['a: &a {x: 1, y2: 2}\nb: {<<: *a, x: 3}', { a: { x: 1, y2: 2 }, b: { x: 3, y2: 2 } }],
  ['a: &a {x: 1}\nb: {<<: [*a, {z: 1}]}', { a: { x: 1 }, b: { x: 1, z: 1 } }],
  ['a: {"<<": {x: 1}}', { a: { '<<': { x: 1 } } }],
  ['[y, yes, On, n, NO, off, TRUE, "yes"]', [true, true, true, false, false, false, true, 'yes']],
  ['[0777, 0644, -010, 0o17, -0o7, 08]', [511, 420, -8, 15, -7, 8]],
  ['[0b11, 0x1F, 1_000, +1]', [3, 31, 1000, 1]],
  ['[1:30, 12:30:45, 190:20:30.5]', ['1:30', '12:30:45', '190:20:30.5']],
  [
    '[2001-12-14, 2001-12-14T21:59:43Z, 2001-12-14 21:59:43]',
    ['2001-12-14', '2001-12-14T21:59:43Z', '2001-12-14 21:59:43'],
  ],
  ['[1.0, 1e3, .5, 1.30, v1.34]', [1, 1000, 0.5, 1.3, 'v1.34']],
  ['[~, null, NULL, ""]', [null, null, null, '']],
  ['{1: a, no: d, 0x10: e, 2020-01-01: f}', { 1: 'a', 16: 'e', false: 'd', '2020-01-01': 'f' }],
  ['a: !!binary aGVsbG8=', { a: 'hello' }],
  ['a: !!str 123', { a: '123' }],
])('reads %j as kubectl does', (text, value) => {
  expect(yamlDocuments(text).map((document) => document.toJS())).toEqual([value]);
});

it('refuses duplicate keys', () => {
  expect(yamlDocuments('a: 1\na: 2').flatMap(({ errors }) => errors)).toHaveLength(1);
});
