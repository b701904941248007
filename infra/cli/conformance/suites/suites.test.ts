import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../paths.ts';
import { filesMeant } from './plan.ts';
import { readRequest } from './request.ts';
import { LONG, SUITES, suiteOf } from './suites.ts';
import { processorTimesOf, summaryOf } from './summary.ts';

const FOLDERS = readdirSync(join(ROOT, 'test', 'conformance'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the suites', () => {
  it('are the folders of test/conformance', () => {
    expect(Object.keys(SUITES).toSorted()).toEqual(FOLDERS.toSorted());
  });

  it('are found by a file, and a file outside all suites is an error', () => {
    expect(suiteOf('test/conformance/etcd/etcdctl.test.ts')).toBe(SUITES.etcd);
    expect(() => suiteOf('test/conformance/stray/a.test.ts')).toThrow('suites.ts declares');
  });
});

describe('a request', () => {
  const FILES = [
    'test/conformance/etcd/etcdctl.test.ts',
    'test/conformance/kubectl/kubectl.test.ts',
    'test/conformance/kubectl/plan.test.ts',
  ];
  const meant = (...args: string[]) => filesMeant(FILES, readRequest(args)).map(({ file }) => file);

  it('selects all files, files with certain words in their path, or the API suites', () => {
    expect(meant()).toEqual(FILES);
    expect(meant('kubectl/plan', 'etcd')).toEqual([FILES[0], FILES[2]]);
    expect(meant('kube-api')).toEqual([FILES[1], FILES[2]]);
    expect(meant('kube-api', 'plan')).toEqual([FILES[2]]);
  });

  it('passes all other options to vitest', () => {
    expect(readRequest(['etcd', '-t', 'a member'], { all: true })).toEqual({
      filters: ['etcd'],
      api: false,
      all: true,
      toolsOnly: false,
      options: ['-t', 'a member'],
    });
  });
});

describe('the summary', () => {
  it('lists what ran, the longest first, and what was skipped because of which stamp', () => {
    const assertion = (status: string) => ({ fullName: '', status });
    const report = {
      testResults: [
        {
          name: '/w/test/conformance/a/a.test.ts',
          startTime: 0,
          endTime: 900,
          assertionResults: [assertion('passed')],
        },
        {
          name: '/w/test/conformance/b/b.test.ts',
          startTime: 0,
          endTime: 9000,
          assertionResults: [assertion('failed'), assertion('passed'), assertion('pending')],
        },
      ],
    };
    const skipped = [{ file: 'test/conformance/c/c.test.ts', suite: {}, hash: '0123456789abcdef', tests: 7 }];

    const counted = processorTimesOf('{"name":"/w/test/conformance/b/b.test.ts","seconds":12.4}\n');

    expect(summaryOf(report, { skipped }, counted).split('\n')).toEqual([
      'suite  tests                          time  CPU',
      'b/b    1 passed, 1 FAILED, 1 not run  9 s   12 s',
      'a/a    1 passed                       1 s',
      'c/c    7 passed before                            unchanged: stamp 0123456789ab',
    ]);
  });
});

it('lists no long file that does not exist', () => {
  expect(LONG.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
