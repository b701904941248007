import { describe, expect, it } from 'vitest';
import type { LabelSelector } from '../../schema/meta.ts';
import { formatSelector, selects, validateSelectorSyntax } from './label-selector.ts';

interface Row {
  selector: LabelSelector;
  labels: Record<string, string>;
  is: boolean;
  text: string;
}

const expression = (operator: string, ...values: string[]) => ({
  matchExpressions: [{ key: 'pool', operator, ...(values.length > 0 ? { values } : {}) }],
});

describe('label selectors', () => {
  it.each<Row>([
    { selector: {}, labels: { pool: 'a' }, is: true, text: '' },
    { selector: { matchLabels: { z: '1', a: '2' } }, labels: { z: '1', a: '2', more: '' }, is: true, text: 'a=2,z=1' },
    { selector: { matchLabels: { a: '2' } }, labels: {}, is: false, text: 'a=2' },
    { selector: expression('In', 'b', 'a'), labels: { pool: 'a' }, is: true, text: 'pool in (a,b)' },
    { selector: expression('In', 'b'), labels: {}, is: false, text: 'pool in (b)' },
    { selector: expression('NotIn', 'b'), labels: {}, is: true, text: 'pool notin (b)' },
    { selector: expression('NotIn', 'b'), labels: { pool: 'b' }, is: false, text: 'pool notin (b)' },
    { selector: expression('Exists'), labels: { pool: '' }, is: true, text: 'pool' },
    { selector: expression('DoesNotExist'), labels: { pool: '' }, is: false, text: '!pool' },
    {
      selector: { matchLabels: { zone: 'z', 'x/name': 'n' }, ...expression('Exists') },
      labels: { zone: 'z', pool: 'a', 'x/name': 'n' },
      is: true,
      text: 'pool,x/name=n,zone=z',
    },
  ])('"$text" selects $labels: $is', ({ selector, labels, is, text }) => {
    expect(selects(selector, labels)).toBe(is);
    expect(formatSelector(selector)).toBe(text);
  });
});

it('refuses a selector with too many requirements', () => {
  const of = (count: number) => ({
    matchExpressions: Array.from({ length: count }, (_, index) => ({ key: `k${index}`, operator: 'Exists' })),
  });
  expect(validateSelectorSyntax(of(500), 'spec.selector')).toEqual([]);
  expect(validateSelectorSyntax(of(501), 'spec.selector')).toMatchObject([
    { detail: 'it has more than 500 requirements' },
  ]);
});
