import { stringify } from 'yaml';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { type Document, spokeStatements } from './statements.ts';

/** A role has at most ten managed policies, each of 6,144 characters without whitespace (IAM's quotas). */
const MOST_CHARACTERS = 6_144;
const MOST_POLICIES = 10;

/** The frame of a policy, with some reserve. */
const FRAME = 100;

/** The longest value of each reference. */
const LONGEST: Readonly<Record<string, string>> = { 'AWS::Partition': 'aws-us-gov', 'AWS::AccountId': '0'.repeat(12) };

const sizeOf = (statement: Document): number =>
  JSON.stringify(statement)
    .replaceAll(/\{"Fn::Sub":("[^"]*")\}/g, '$1')
    .replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => LONGEST[name] ?? name).length + 1;

/**
 * Divides the statements between policies of the permitted size. Throws if they need more policies than a role can
 * have.
 */
const inPolicies = (statements: readonly Document[]): Document[][] => {
  const policies: Document[][] = [[]];
  let used = FRAME;
  for (const statement of statements) {
    const size = sizeOf(statement);
    if (used + size > MOST_CHARACTERS) {
      policies.push([]);
      used = FRAME;
    }
    policies.at(-1)?.push(statement);
    used += size;
  }
  if (policies.length > MOST_POLICIES) throw new Error(`a role cannot have ${policies.length} managed policies`);
  return policies;
};

const PARAMETERS = {
  HubAccount: {
    Type: 'String',
    AllowedPattern: '\\d{12}',
    Description: "The account of Windlass's stack",
  },
  ExternalId: {
    Type: 'String',
    AllowedPattern: '[\\w+=,.@:/-]{2,1224}',
    Description: 'spec.externalID of the AWSClusterRoleIdentity',
  },
  HubRoles: {
    Type: 'String',
    Default: 'Windlass-*',
    Description:
      "The path and the names of the roles of the stack's functions: the names begin with the setting roleNamePrefix and the stack's name, of which CloudFormation may keep only 24 characters",
  },
  RoleName: {
    Type: 'String',
    Default: 'controllers.cluster-api-provider-aws.sigs.k8s.io',
    Description: 'The name of the role; the setting assumableRoles of the stack must permit it',
  },
};

const reference = (name: string): string => `\${${name}}`;

const inHub = (what: string) => ({
  'Fn::Sub': `arn:${reference('AWS::Partition')}:iam::${reference('HubAccount')}:${what}`,
});

const HUB_ROLES = { ArnLike: { 'aws:PrincipalArn': inHub(`role/${reference('HubRoles')}`) } };

const trust = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: inHub('root') },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': { Ref: 'ExternalId' } }, ...HUB_ROLES },
    },
    {
      // For identities with the annotations session-tags and source-identity. Neither permission assumes the role.
      Effect: 'Allow',
      Principal: { AWS: inHub('root') },
      Action: ['sts:TagSession', 'sts:SetSourceIdentity'],
      Condition: HUB_ROLES,
    },
  ],
};

/** A CloudFormation template with the role that Windlass assumes in another account. */
export const spokeTemplate = (instanceProfiles: readonly string[] = DEFAULT_INSTANCE_PROFILES) => {
  const policies = inPolicies(spokeStatements(instanceProfiles)).map((Statement, index) => {
    const Properties = { PolicyDocument: { Version: '2012-10-17', Statement } };
    return [`Permissions${index + 1}`, { Type: 'AWS::IAM::ManagedPolicy', Properties }] as const;
  });
  const role = {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName: { Ref: 'RoleName' },
      AssumeRolePolicyDocument: trust,
      ManagedPolicyArns: policies.map(([id]) => ({ Ref: id })),
    },
  };
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: "The role that Windlass assumes in an account of clusters that is not the stack's",
    Parameters: PARAMETERS,
    Resources: { ...Object.fromEntries(policies), Role: role },
    Outputs: { RoleArn: { Value: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
  };
};

const HEADER = `# The role that Windlass assumes in an account of clusters: docs/identities.md says how to create it.
# \`npm run docs\` generates this file from the permissions of the stack's functions.
`;

/** The content of docs/spoke-role.yaml. */
export const spokeRoleFile = (): string =>
  HEADER + stringify(spokeTemplate(), { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });
