/** The permissions of one function's role, directly from its grants. */
import { App, Stack } from 'aws-cdk-lib';
import type { FunctionName } from '../../infra/bundle/entries.ts';
import { grantsOf } from '../../infra/constructs/grants/grants.ts';
import type { Role, Statement } from './roles.ts';

const ACCOUNT = '000000000000';

const PSEUDO: Readonly<Record<string, string>> = { 'AWS::Partition': 'aws', 'AWS::AccountId': ACCOUNT };

/** The value to which CloudFormation resolves it. */
const deployed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(deployed);
  if (value === null || typeof value !== 'object') return value;
  const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
  if (Ref !== undefined) return PSEUDO[Ref];
  if (join) return join[1].map(deployed).join(join[0]);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deployed(one)]));
};

/** The role of a function in an installation with default settings, without a template. */
export const roleOf = (name: FunctionName): Role => {
  const stack = new Stack(new App());
  const names = [
    'tableArn',
    'sealKeyArn',
    'convergeClusterArn',
    'provisionMachineArn',
    'removeMachineArn',
    'convergePoolArn',
  ] as const;
  const own = Object.fromEntries(names.map((one) => [one, `arn:aws:dynamodb:us-east-1:${ACCOUNT}:table/${one}`]));
  const grants = grantsOf({
    ...(own as Record<(typeof names)[number], string>),
    assumableRoles: [],
    instanceProfiles: ['nodes.cluster-api-provider-aws.sigs.k8s.io'],
    extensionFunctions: [],
  })[name];
  const statements = grants.map((grant): Statement => {
    const document = deployed(stack.resolve(grant.toStatementJson())) as Record<string, string | string[]>;
    return { actions: [document.Action ?? []].flat(), resources: [document.Resource ?? []].flat(), document };
  });
  return { functionName: name, arn: `arn:aws:iam::${ACCOUNT}:role/${name}`, statements };
};
