import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { arnOf } from '../../wire/place.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { SecurityGroup, SecurityGroupRule, Vpc } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';
import {
  addRules,
  isSameRule,
  permissionsOf,
  permissionViews,
  type RuleSpec,
  rulesOf,
  ruleView,
  specsOf,
} from './security-group-rules.ts';

const ALL_OUT: RuleSpec = {
  isEgress: true,
  protocol: '-1',
  fromPort: -1,
  toPort: -1,
  source: { kind: 'ipv4', value: '0.0.0.0/0' },
  description: undefined,
};

const addGroup = (
  ec2: Ec2,
  about: Pick<SecurityGroup, 'vpcId' | 'name' | 'description'>,
  tags?: ReadonlyMap<string, string>,
): SecurityGroup => {
  const { vpcId, name, description } = about;
  const group = ec2.securityGroups.add({ ...ec2.born(KINDS.securityGroup, tags), vpcId, name, description });
  addRules(ec2, group, [ALL_OUT]);
  return group;
};

/** Creates the group that every new VPC has: its members can reach each other. */
export const addDefaultSecurityGroup = (ec2: Ec2, vpc: Vpc): SecurityGroup => {
  const group = addGroup(ec2, { vpcId: vpc.id, name: 'default', description: 'default VPC security group' });
  addRules(ec2, group, [{ ...ALL_OUT, isEgress: false, source: { kind: 'group', value: group.id } }]);
  return group;
};

/** Removes a group and its rules without any checks. */
export const removeSecurityGroup = (ec2: Ec2, group: SecurityGroup): void => {
  for (const rule of rulesOf(ec2, group.id)) ec2.securityGroupRules.remove(rule.id);
  ec2.securityGroups.remove(group.id);
};

const deleteGroup = (ec2: Ec2, group: SecurityGroup): void => {
  if (group.name === 'default')
    throw new AwsFault(
      'CannotDelete',
      `the specified group: "${group.id}" name: "default" cannot be deleted by a user`,
    );
  const isAttached = ec2.networkInterfaces.all().some(({ groupIds }) => groupIds.includes(group.id));
  const isNamed = ec2.securityGroupRules
    .all()
    .some(({ groupId, source }) => groupId !== group.id && source.kind === 'group' && source.value === group.id);
  if (isAttached || isNamed) throw new AwsFault('DependencyViolation', `resource ${group.id} has a dependent object`);
  removeSecurityGroup(ec2, group);
};

const create = (ec2: Ec2, input: sdk.CreateSecurityGroupRequest): SecurityGroup => {
  onlySimulated('ec2:CreateSecurityGroup', input, ['GroupName', 'Description', 'VpcId', 'TagSpecifications']);
  const { GroupName: name = '', Description: description = '' } = input;
  const defaultVpc = ec2.vpcs.all().find(({ isDefault }) => isDefault);
  const vpc = input.VpcId ? ec2.vpcs.get(input.VpcId) : defaultVpc;
  if (!vpc) throw new AwsFault('VPCIdNotSpecified', 'No default VPC for this user');
  if (name.startsWith('sg-'))
    throw new AwsFault(
      'InvalidParameterValue',
      `Value (${name}) for parameter GroupName is invalid. Group names may not be in the format sg-*.`,
    );
  if (name === '' || name.length > 255 || description === '' || description.length > 255)
    throw new AwsFault('InvalidParameterValue', 'GroupName and GroupDescription must have 1 to 255 characters.');
  const tags = tagsFor(input.TagSpecifications, 'security-group');
  const groups = ec2.securityGroups.all();
  if (groups.some((group) => group.vpcId === vpc.id && group.name === name))
    throw new AwsFault('InvalidGroup.Duplicate', `The security group '${name}' already exists for VPC '${vpc.id}'`);
  if (groups.length >= ec2.settings.quotas.securityGroups)
    throw new AwsFault('SecurityGroupLimitExceeded', 'The maximum number of security groups has been reached.');
  return addGroup(ec2, { vpcId: vpc.id, name, description }, tags);
};

const authorize = (ec2: Ec2, input: sdk.AuthorizeSecurityGroupIngressRequest, isEgress: boolean) => {
  const permissions = permissionsOf('ec2:AuthorizeSecurityGroup', input);
  const group = ec2.securityGroups.get(input.GroupId);
  const tags = tagsFor(input.TagSpecifications, 'security-group-rule');
  const specs = specsOf(ec2, group, permissions, isEgress);
  if (specs.length === 0)
    throw new AwsFault('MissingParameter', 'The request must contain the parameter IpPermissions');
  const rules = addRules(ec2, group, specs, tags);
  return { Return: true, SecurityGroupRules: rules.map((rule) => ruleView(ec2, rule)) };
};

const toRevoke = (
  ec2: Ec2,
  group: SecurityGroup,
  input: sdk.RevokeSecurityGroupIngressRequest,
  isEgress: boolean,
): SecurityGroupRule[] => {
  const rules = rulesOf(ec2, group.id).filter((rule) => rule.isEgress === isEgress);
  const missing = () =>
    new AwsFault('InvalidPermission.NotFound', 'The specified rule does not exist in this security group.');
  const byId = (input.SecurityGroupRuleIds ?? []).map((id) => rules.find((rule) => rule.id === id));
  const permissions = permissionsOf('ec2:RevokeSecurityGroup', input);
  const bySpec = specsOf(ec2, group, permissions, isEgress).map((spec) => rules.find((rule) => isSameRule(rule, spec)));
  return [...byId, ...bySpec].map((rule) => {
    if (!rule) throw missing();
    return rule;
  });
};

const revoke = (ec2: Ec2, input: sdk.RevokeSecurityGroupIngressRequest, isEgress: boolean) => {
  const group = ec2.securityGroups.get(input.GroupId);
  for (const rule of toRevoke(ec2, group, input, isEgress)) ec2.securityGroupRules.remove(rule.id);
  return { Return: true };
};

const groupFields = (ec2: Ec2): FilterFields<SecurityGroup> => ({
  'group-id': ({ id }) => id,
  'group-name': ({ name }) => name,
  'vpc-id': ({ vpcId }) => vpcId,
  description: ({ description }) => description,
  'owner-id': () => ec2.place.accountId,
  'ip-permission.group-id': ({ id }) =>
    rulesOf(ec2, id)
      .filter(({ isEgress, source }) => !isEgress && source.kind === 'group')
      .map(({ source }) => source.value),
  'ip-permission.cidr': ({ id }) =>
    rulesOf(ec2, id)
      .filter(({ isEgress, source }) => !isEgress && source.kind === 'ipv4')
      .map(({ source }) => source.value),
});

const ruleFields: FilterFields<SecurityGroupRule> = {
  'security-group-rule-id': ({ id }) => id,
  'group-id': ({ groupId }) => groupId,
};

const view = (ec2: Ec2, group: SecurityGroup): sdk.SecurityGroup => {
  const rules = rulesOf(ec2, group.id);
  return {
    GroupId: group.id,
    GroupName: group.name,
    Description: group.description,
    VpcId: group.vpcId,
    OwnerId: ec2.place.accountId,
    SecurityGroupArn: arnOf(ec2.place, 'ec2', `security-group/${group.id}`),
    IpPermissions: permissionViews(
      ec2,
      rules.filter(({ isEgress }) => !isEgress),
    ),
    IpPermissionsEgress: permissionViews(
      ec2,
      rules.filter(({ isEgress }) => isEgress),
    ),
    Tags: tagList(group.tags),
  };
};

/** Security groups and their rules. Rules are stored and validated, but block no packets. */
export const securityGroupActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateSecurityGroup: (input) => {
    const { id, tags } = create(ec2, input);
    return { GroupId: id, SecurityGroupArn: arnOf(ec2.place, 'ec2', `security-group/${id}`), Tags: tagList(tags) };
  },
  AuthorizeSecurityGroupIngress: (input) => authorize(ec2, input, false),
  AuthorizeSecurityGroupEgress: (input) => authorize(ec2, input, true),
  RevokeSecurityGroupIngress: (input) => revoke(ec2, input, false),
  RevokeSecurityGroupEgress: (input) => revoke(ec2, input, true),
  DescribeSecurityGroups: ({ GroupIds, GroupNames, Filters, MaxResults, NextToken }) => {
    const byName = GroupNames?.length ? [{ Name: 'group-name', Values: GroupNames }] : [];
    const filters = [...(Filters ?? []), ...byName];
    const question = { ids: GroupIds, filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.securityGroups, question, groupFields(ec2));
    return { SecurityGroups: rows.map((group) => view(ec2, group)), NextToken: nextToken };
  },
  DescribeSecurityGroupRules: ({ SecurityGroupRuleIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: SecurityGroupRuleIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.securityGroupRules, question, ruleFields);
    return { SecurityGroupRules: rows.map((rule) => ruleView(ec2, rule)), NextToken: nextToken };
  },
  DeleteSecurityGroup: (input) => {
    onlySimulated('ec2:DeleteSecurityGroup', input, ['GroupId']);
    const group = ec2.securityGroups.get(input.GroupId);
    deleteGroup(ec2, group);
    return { Return: true, GroupId: group.id };
  },
});
