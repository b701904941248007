import { expect, it } from 'vitest';
import { ROOT } from '../paths.ts';
import { makeTestsOf } from './test.ts';

const testsOf = await makeTestsOf(ROOT);

it('finds the tests for a folder that contains no tests', () => {
  const found = testsOf(['functions/providers/aws/instance']);
  expect(found).toContain('test/machine-lifecycle/launch.test.ts');
  expect(found).not.toContain('test/simulation/rollout/rollout.test.ts');
});

it('finds the tests next to the code, too, and excludes those of other commands', () => {
  const found = testsOf(['shared/providers/aws/network', 'infra/bundle/bundle.ts']);
  expect(found).toContain('test/cluster-infrastructure/network.test.ts');
  expect(found.filter((file) => file.startsWith('shared/providers/aws/network/'))).not.toEqual([]);
  expect(found.filter((file) => /^test\/(conformance|architecture)\//.test(file))).toEqual([]);
});
