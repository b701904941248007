import { expect, it } from 'vitest';
import { failureText } from './failure-reporter.ts';

it('reports the name, the time and the errors of a failure', () => {
  const errors = [
    {
      message: '\u001b[31mexpected 1 to be 2\u001b[39m',
      stack: 'Error\n    at file.ts:1:2\n    at node_modules/a.js:1:1',
    },
    { message: 'second' },
  ];
  expect(failureText({ name: 'file.test.ts > a test', seconds: 4.4, errors })).toBe(
    'file.test.ts > a test (4 s)\n    expected 1 to be 2\n        at file.ts:1:2\n    second\n',
  );
});

it('truncates long errors', () => {
  const text = failureText({ name: 'a test', seconds: 0, errors: [{ message: 'x'.repeat(100_000) }] });
  expect(text.length).toBeLessThan(2000);
});
