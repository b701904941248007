import { expect, it } from 'vitest';
import { mayUse } from './allowed.ts';

const TEAM = { team: 'red' };
const selector = { matchLabels: TEAM };

it.each([
  ['nobody where it is not said', undefined, TEAM, false],
  ['nobody where it is null', null, TEAM, false],
  ['everyone where it is empty', {}, undefined, true],
  ['everyone where its list is null', { list: null }, undefined, true],
  ['everyone where its selector is an empty object', { selector: {} }, undefined, true],
  ['who is in the list', { list: ['blue', 'red'] }, undefined, true],
  ['nobody who is not in the list', { list: ['blue'] }, TEAM, false],
  ['nobody where the list is empty', { list: [] }, TEAM, false],
  ['nobody where the list is empty and the selector too', { list: [], selector: {} }, TEAM, false],
  ['nobody where the selector requires nothing', { selector: { matchLabels: {} } }, TEAM, false],
  ['nobody where the selector has no expression', { selector: { matchExpressions: [] } }, TEAM, false],
  ['who has the labels', { selector }, TEAM, true],
  ['who has the labels though not in the list', { list: ['blue'], selector }, TEAM, true],
  ['nobody with other labels', { selector }, { team: 'blue' }, false],
  [
    'nobody without a Namespace object',
    { selector: { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] } },
    undefined,
    false,
  ],
  [
    'who has none of the labels',
    { selector: { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] } },
    TEAM,
    true,
  ],
] as const)('an identity allows %s', (_, allowed, labels, expected) => {
  expect(mayUse(allowed as never, 'red', labels)).toBe(expected);
});
