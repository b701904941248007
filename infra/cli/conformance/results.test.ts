import { describe, expect, it } from 'vitest';
import { tableOfBootstrap } from './bootstrap-table.ts';
import { tableOfResults } from './results.ts';

const result = (fullName: string, status = 'passed') => ({ fullName, status });

describe('the table of the conformance suites', () => {
  it('has a row for each operation and a column for each client', () => {
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

describe('the table of the bootstrap suite', () => {
  it('has a row for each minor version and a column for each kind of machine and format', () => {
    const assertionResults = [
      result('the files 1.28.15 init by cloud-init: taken'),
      result('the files 1.28.15 init by cloud-init: taken again', 'failed'),
      result('1.4.0 worker by Ignition: taken', 'skipped'),
      result('something else'),
    ];

    expect(tableOfBootstrap({ testResults: [{ name: 'a', assertionResults }] }).split('\n')).toEqual([
      'Kubernetes  init, cloud-init  control-plane, cloud-init  worker, cloud-init  init, Ignition  control-plane, Ignition  worker, Ignition',
      '1.4         -                 -                          -                   -               -                        1 not run',
      '1.28        1 ok, 1 FAILED    -                          -                   -               -                        -',
    ]);
    expect(tableOfBootstrap({ testResults: [] })).toBe('');
  });
});
