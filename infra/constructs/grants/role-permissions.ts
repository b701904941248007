import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { arns, ROLE_TAG, referringShared, statement, WITH_CLUSTER_TAG } from './permissions.ts';

/** Permissions for resources of one role only, which their role tag names. */

/**
 * Permits the creation of resources with a role only with that role's tag in the same call. `made`: the types in the
 * ARNs to which the actions apply; `tagged`: the types that get tags.
 */
export const creatingOfRole = (
  role: string,
  service: string,
  actions: readonly string[],
  { made, tagged }: { made: readonly string[]; tagged: readonly string[] },
): PolicyStatement[] => [
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, made),
    { StringEquals: { [`aws:RequestTag/${ROLE_TAG}`]: role }, ...WITH_CLUSTER_TAG },
  ),
  statement([`${service}:AddTags`], arns(service, tagged), {
    StringEquals: { [`${service}:CreateAction`]: [...actions], [`aws:RequestTag/${ROLE_TAG}`]: role },
  }),
];

/** Creates security groups with a role, in a VPC that another account may share. */
export const creatingGroupsOfRole = (role: string): PolicyStatement[] => {
  const groups = arns('ec2', ['security-group']);
  const asked = { [`aws:RequestTag/${ROLE_TAG}`]: role };
  return [
    statement(['ec2:CreateSecurityGroup'], groups, { StringEquals: asked, ...WITH_CLUSTER_TAG }),
    referringShared('ec2', ['CreateSecurityGroup'], ['vpc']),
    statement(['ec2:CreateTags'], groups, { StringEquals: { 'ec2:CreateAction': ['CreateSecurityGroup'], ...asked } }),
  ];
};

/** Tags for new rules with a role, in groups whose rules may be changed. See taggingRules. */
export const taggingRulesOfRole = (role: string): PolicyStatement[] => {
  const rules = arns('ec2', ['security-group-rule']);
  const action = 'AuthorizeSecurityGroupIngress';
  const asked = { [`aws:RequestTag/${ROLE_TAG}`]: role };
  return [
    statement([`ec2:${action}`], rules, { StringEquals: asked, ...WITH_CLUSTER_TAG }),
    statement(['ec2:CreateTags'], rules, { StringEquals: { 'ec2:CreateAction': [action], ...asked } }),
  ];
};

/** Tags that decide about ownership, here or in other programs. */
const OWNERSHIP_TAGS = ['sigs.k8s.io/*', 'windlass.dev/*', 'kubernetes.io/*', 'k8s.io/*', 'elbv2.k8s.aws/*'];

/** Adds tags to existing resources with a role, except tags that decide about ownership. */
export const taggingOfRole = (role: string, service: string, types: readonly string[]): PolicyStatement =>
  statement([`${service}:AddTags`], arns(service, types), {
    StringEquals: { [`aws:ResourceTag/${ROLE_TAG}`]: role },
    'ForAllValues:StringNotLike': { 'aws:TagKeys': OWNERSHIP_TAGS },
    Null: { 'aws:TagKeys': 'false' },
  });

/** Changes or deletes resources with a role. */
export const changingOfRole = (
  role: string,
  service: string,
  actions: readonly string[],
  types: readonly string[],
): PolicyStatement =>
  statement(
    actions.map((action) => `${service}:${action}`),
    arns(service, types),
    { StringEquals: { [`aws:ResourceTag/${ROLE_TAG}`]: role } },
  );
