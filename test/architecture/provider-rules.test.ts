import { expect, it } from 'vitest';
import { providerProblems } from './provider-rules.ts';
import { makeSource, readSources } from './source.ts';

const problemsOf = (path: string, text: string): string[] => providerProblems(makeSource(path, text));

it('no file outside a provider names a provider', () => {
  expect(readSources('shared', 'functions').flatMap(providerProblems)).toEqual([]);
});

it.each([
  ['functions/cluster/a.ts', "import { b } from '../providers/aws/b.ts';", 'imports functions/providers/aws/b.ts'],
  ['shared/plan/a.ts', "import type { AWSMachine } from '../kinds/index.ts';", 'names AWSMachine'],
  ['functions/a.ts', 'export const a = kinds.awsCluster;', 'names awsCluster'],
  ['functions/a.ts', "export const a = 'awsmachines';", 'names awsmachines'],
  ['shared/plan/a.ts', "import { AWS_WISHES } from '../kinds/b.ts';", 'names AWS_WISHES'],
  ['functions/a.ts', 'export const a = (ec2Fleet: Ec2Fleet) => ec2Fleet;', 'names ec2Fleet'],
])('reports a problem in %s: %s', (path, text, problem) => {
  expect(problemsOf(path, text).join()).toContain(problem);
});

it.each([
  ['functions/providers/aws/a.ts', 'export const a = kinds.awsCluster;'],
  ['functions/a.test.ts', 'export const a = kinds.awsCluster;'],
  ['functions/a.ts', 'export const a = process.env.AWS_REGION;'],
  ['functions/a.ts', '/** As an AWSMachine. */\nexport const a = 1;'],
])('accepts %s: %s', (path, text) => {
  expect(problemsOf(path, text)).toEqual([]);
});
