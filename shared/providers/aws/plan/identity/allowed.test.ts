import { expect, it } from 'vitest';
import { mayUse } from './allowed.ts';

const TEAM = { team: 'red' };
const selector = { matchLabels: TEAM };

it.each([
  ['no namespace if allowedNamespaces is missing', undefined, TEAM, false],
  ['no namespace if allowedNamespaces is null', null, TEAM, false],
  ['every namespace if allowedNamespaces is empty', {}, undefined, true],
  ['every namespace if the list is null', { list: null }, undefined, true],
  ['every namespace if the selector is an empty object', { selector: {} }, undefined, true],
  ['a namespace in the list', { list: ['blue', 'red'] }, undefined, true],
  ['no namespace that is not in the list', { list: ['blue'] }, TEAM, false],
  ['no namespace if the list is empty', { list: [] }, TEAM, false],
  ['no namespace if the list and the selector are empty', { list: [], selector: {} }, TEAM, false],
  ['no namespace if matchLabels is empty', { selector: { matchLabels: {} } }, TEAM, false],
  ['no namespace if matchExpressions is empty', { selector: { matchExpressions: [] } }, TEAM, false],
  ['a namespace with the labels', { selector }, TEAM, true],
  ['a namespace with the labels that is not in the list', { list: ['blue'], selector }, TEAM, true],
  ['no namespace with other labels', { selector }, { team: 'blue' }, false],
  [
    'no namespace without a Namespace object',
    { selector: { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] } },
    undefined,
    false,
  ],
  [
    'a namespace without the label that must not exist',
    { selector: { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] } },
    TEAM,
    true,
  ],
] as const)('an identity allows %s', (_, allowed, labels, expected) => {
  expect(mayUse(allowed as never, 'red', labels)).toBe(expected);
});
