import { expect, it } from 'vitest';
import { ROOT } from '../paths.ts';
import { testsOf } from './test.ts';

it('finds the tests of a folder without tests of its own', async () => {
  const found = await testsOf(ROOT, ['functions/providers/aws/instance']);
  expect(found).toContain('test/machine-lifecycle/launch.test.ts');
  expect(found).not.toContain('test/simulation/rollout/rollout.test.ts');
});

it('finds the tests next to the code as well, and excludes those of other commands', async () => {
  const found = await testsOf(ROOT, ['shared/providers/aws/network', 'infra/bundle/bundle.ts']);
  expect(found).toContain('test/cluster-infrastructure/network.test.ts');
  expect(found.filter((file) => file.startsWith('shared/providers/aws/network/'))).not.toEqual([]);
  expect(found.filter((file) => /^test\/(conformance|architecture)\//.test(file))).toEqual([]);
});
