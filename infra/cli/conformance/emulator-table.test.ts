import { expect, it } from 'vitest';
import { tableOfEmulators } from './emulator-table.ts';

const tests = (entries: Record<string, string>) =>
  Object.entries(entries).map(([fullName, status]) => ({ fullName, status }));

it("counts the emulators' answers that equal ours, by call", () => {
  const assertionResults = tests({
    'the simulated AWS ours ec2:CreateVpc as ours: a VPC': 'passed',
    'moto moto ec2:CreateVpc otherwise: a VPC': 'passed',
    'moto moto ec2:CreateVpc as ours: another': 'failed',
    'ministack ministack ec2:CreateVpc as ours: a VPC': 'skipped',
    'the recorded answers are complete': 'passed',
  });
  expect(tableOfEmulators({ testResults: [{ name: 'wire.test.ts', assertionResults }] }).split('\n')).toEqual([
    'call           ours       moto                   ministack',
    'ec2:CreateVpc  1 as ours  1 otherwise, 1 FAILED  1 not run',
  ]);
  expect(tableOfEmulators({ testResults: [] })).toBe('');
});
