import { describe, expect, it } from 'vitest';
import { tableOfResults } from './results.ts';

const result = (fullName: string, status = 'passed') => ({ fullName, status });

describe('the table of the conformance suites', () => {
  it('has a line for each operation and a column for each client', () => {
    const report = {
      testResults: [
        {
          name: '/suites/kubectl/kubectl.test.ts',
          assertionResults: [
            result('kubectl applies'),
            result('kubectl applies again', 'failed'),
            result('kubectl lists and deletes'),
          ],
        },
        { name: '/suites/python/python.test.ts', assertionResults: [result('lists', 'skipped'), result('hums')] },
      ],
    };

    expect(tableOfResults(report, '/suites').split('\n')).toEqual([
      'operation  kubectl         python',
      'apply      1 ok, 1 FAILED  -',
      'delete     1 ok            -',
      'list       1 ok            1 not run',
      'other      -               1 ok',
    ]);
  });
});
