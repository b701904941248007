import { expect, it } from 'vitest';
import type { StatusVariable } from '../../../kinds/cluster-class/variable-schema.ts';
import { definedBy, inlineOf } from './defined-variables.ts';

const variable = (name: string, ...froms: string[]): StatusVariable => ({
  name,
  definitions: froms.map((from) => ({ from, required: false, schema: { openAPIV3Schema: { type: 'string' } } })),
});
const DEFINED = [variable('a', 'inline'), variable('b', 'regions'), variable('c', 'inline', 'regions')];

it('a patch defines the variables whose definitions name it, also together with others', () => {
  expect(definedBy(DEFINED, 'regions')).toEqual(new Set(['b', 'c']));
  expect(definedBy(DEFINED, 'another')).toEqual(new Set());
});

it('inline patches get the variables of the class and the built-in ones, but none of extensions', () => {
  expect(inlineOf({ a: 1, b: 2, c: 3, builtin: {} }, DEFINED)).toEqual({ a: 1, c: 3, builtin: {} });
});
