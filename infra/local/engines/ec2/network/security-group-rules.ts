/** Rules of security groups: splits the permissions of a request into single rules, and combines them again. */

import type * as sdk from '@aws-sdk/client-ec2';
import { formatCidr, parseCidr } from '../../../../../shared/cidr.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import { arnOf } from '../../wire/place.ts';
import { KINDS } from '../kinds.ts';
import type { RuleSource, SecurityGroup, SecurityGroupRule } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList } from '../tags.ts';

/** A rule before it exists. */
export type RuleSpec = Pick<
  SecurityGroupRule,
  'isEgress' | 'protocol' | 'fromPort' | 'toPort' | 'source' | 'description'
>;

const PROTOCOL_NAMES: Readonly<Record<string, string>> = {
  '1': 'icmp',
  '6': 'tcp',
  '17': 'udp',
  '58': 'icmpv6',
  all: '-1',
};

const protocolOf = (given: string | undefined): string => {
  const protocol = PROTOCOL_NAMES[given ?? ''] ?? given ?? '';
  const isNumber = /^\d+$/.test(protocol) && Number(protocol) <= 255;
  if (isNumber || ['-1', 'tcp', 'udp', 'icmp', 'icmpv6'].includes(protocol)) return protocol;
  throw new AwsFault('InvalidParameterValue', `Invalid value '${given}' for IP protocol. Unknown protocol.`);
};

const portsOf = (protocol: string, { FromPort, ToPort }: sdk.IpPermission): [number, number] => {
  if (protocol !== 'tcp' && protocol !== 'udp') {
    const isIcmp = protocol.startsWith('icmp');
    return isIcmp ? [FromPort ?? -1, ToPort ?? -1] : [-1, -1];
  }
  if (FromPort === undefined || ToPort === undefined)
    throw new AwsFault(
      'InvalidParameterValue',
      `Invalid value 'Must specify both from and to ports with TCP/UDP.' for portRange.`,
    );
  if (FromPort === -1 && ToPort === -1) return [0, 65_535];
  if (FromPort < 0 || ToPort > 65_535 || FromPort > ToPort)
    throw new AwsFault('InvalidParameterValue', `Invalid TCP/UDP port range (${FromPort}:${ToPort})`);
  return [FromPort, ToPort];
};

const ipv4 = (text: string | undefined): RuleSource => {
  const cidr = parseCidr(text ?? '', 4);
  if (!cidr) throw new AwsFault('InvalidParameterValue', `CIDR block ${text} is malformed`);
  return { kind: 'ipv4', value: formatCidr(cidr) };
};

const peerGroup = (ec2: Ec2, group: SecurityGroup, pair: sdk.UserIdGroupPair): RuleSource => {
  const peer = ec2.securityGroups.get(pair.GroupId);
  if (peer.vpcId !== group.vpcId)
    throw new AwsFault('InvalidGroup.NotFound', `You have specified two resources that belong to different networks.`);
  return { kind: 'group', value: peer.id };
};

const sourcesOf = (
  ec2: Ec2,
  group: SecurityGroup,
  permission: sdk.IpPermission,
): [RuleSource, string | undefined][] => [
  ...(permission.IpRanges ?? []).map(({ CidrIp, Description }): [RuleSource, string | undefined] => [
    ipv4(CidrIp),
    Description,
  ]),
  ...(permission.Ipv6Ranges ?? []).map(({ CidrIpv6 = '', Description }): [RuleSource, string | undefined] => [
    { kind: 'ipv6', value: CidrIpv6 },
    Description,
  ]),
  ...(permission.PrefixListIds ?? []).map(({ PrefixListId = '', Description }): [RuleSource, string | undefined] => [
    { kind: 'prefixList', value: PrefixListId },
    Description,
  ]),
  ...(permission.UserIdGroupPairs ?? []).map((pair): [RuleSource, string | undefined] => [
    peerGroup(ec2, group, pair),
    pair.Description,
  ]),
];

/** The single rules in a list of permissions. Throws AWS's faults for invalid protocols, ports and sources. */
export const specsOf = (
  ec2: Ec2,
  group: SecurityGroup,
  permissions: readonly sdk.IpPermission[],
  isEgress: boolean,
): RuleSpec[] =>
  permissions.flatMap((permission) => {
    const protocol = protocolOf(permission.IpProtocol);
    const [fromPort, toPort] = portsOf(protocol, permission);
    return sourcesOf(ec2, group, permission).map(([source, description]) => ({
      isEgress,
      protocol,
      fromPort,
      toPort,
      source,
      description,
    }));
  });

/** The permissions of a request, which may also specify a single rule with flat parameters, as older callers do. */
export const permissionsOf = (action: string, input: sdk.AuthorizeSecurityGroupIngressRequest): sdk.IpPermission[] => {
  const flat = ['IpProtocol', 'FromPort', 'ToPort', 'CidrIp'];
  onlySimulated(action, input, ['GroupId', 'IpPermissions', 'TagSpecifications', 'SecurityGroupRuleIds', ...flat]);
  if (input.IpPermissions?.length) return input.IpPermissions;
  if (input.IpProtocol === undefined) return [];
  const { IpProtocol, FromPort, ToPort, CidrIp } = input;
  return [{ IpProtocol, FromPort, ToPort, IpRanges: [{ CidrIp }] }];
};

/** Whether two rules allow the same traffic: descriptions and tags do not matter. */
export const isSameRule = (a: RuleSpec, b: RuleSpec): boolean =>
  a.isEgress === b.isEgress &&
  a.protocol === b.protocol &&
  a.fromPort === b.fromPort &&
  a.toPort === b.toPort &&
  a.source.kind === b.source.kind &&
  a.source.value === b.source.value;

/** The rules of a group, both directions. */
export const rulesOf = (ec2: Ec2, groupId: string): SecurityGroupRule[] => ec2.securityGroupRules.of(groupId);

const duplicate = ({ protocol, fromPort, toPort, source }: RuleSpec): AwsFault => {
  const ports = protocol === 'tcp' || protocol === 'udp' ? `, from port: ${fromPort}, to port: ${toPort}` : '';
  const word = protocol === '-1' ? 'ALL' : protocol.toUpperCase();
  return new AwsFault(
    'InvalidPermission.Duplicate',
    `the specified rule "peer: ${source.value}, ${word}${ports}, ALLOW" already exists`,
  );
};

/** Adds rules, all or none. Throws InvalidPermission.Duplicate and RulesPerSecurityGroupLimitExceeded. */
export const addRules = (
  ec2: Ec2,
  group: SecurityGroup,
  specs: readonly RuleSpec[],
  tags?: ReadonlyMap<string, string>,
): SecurityGroupRule[] => {
  const existing = rulesOf(ec2, group.id);
  specs.forEach((spec, index) => {
    const others = [...existing, ...specs.slice(0, index)];
    if (others.some((other) => isSameRule(other, spec))) throw duplicate(spec);
  });
  for (const isEgress of [true, false]) {
    const count = [...existing, ...specs].filter((rule) => rule.isEgress === isEgress).length;
    if (count > ec2.settings.quotas.rulesPerSecurityGroup)
      throw new AwsFault(
        'RulesPerSecurityGroupLimitExceeded',
        'The maximum number of rules per security group has been reached.',
      );
  }
  return specs.map((spec) =>
    ec2.securityGroupRules.add({ ...ec2.born(KINDS.securityGroupRule, tags), ...spec, groupId: group.id }),
  );
};

const rangesOf = (ec2: Ec2, rules: readonly SecurityGroupRule[]) => {
  const of = (kind: RuleSource['kind']) => rules.filter(({ source }) => source.kind === kind);
  return {
    IpRanges: of('ipv4').map(({ source, description }) => ({ CidrIp: source.value, Description: description })),
    Ipv6Ranges: of('ipv6').map(({ source, description }) => ({ CidrIpv6: source.value, Description: description })),
    PrefixListIds: of('prefixList').map(({ source, description }) => ({
      PrefixListId: source.value,
      Description: description,
    })),
    UserIdGroupPairs: of('group').map(({ source, description }) => ({
      GroupId: source.value,
      UserId: ec2.place.accountId,
      Description: description,
    })),
  };
};

/** Rules as permissions: those with the same protocol and ports are combined, with all their sources. */
export const permissionViews = (ec2: Ec2, rules: readonly SecurityGroupRule[]): sdk.IpPermission[] => {
  const groups = Map.groupBy(rules, ({ protocol, fromPort, toPort }) => `${protocol} ${fromPort} ${toPort}`);
  return [...groups.values()].map((alike) => {
    const [{ protocol, fromPort, toPort } = { protocol: '-1', fromPort: -1, toPort: -1 }] = alike;
    const hasPorts = ['tcp', 'udp', 'icmp', 'icmpv6'].includes(protocol);
    const ports = hasPorts ? { FromPort: fromPort, ToPort: toPort } : {};
    return { IpProtocol: protocol, ...ports, ...rangesOf(ec2, alike) };
  });
};

/** A rule as DescribeSecurityGroupRules shows it. */
export const ruleView = (ec2: Ec2, rule: SecurityGroupRule): sdk.SecurityGroupRule => {
  const { kind, value } = rule.source;
  return {
    SecurityGroupRuleId: rule.id,
    SecurityGroupRuleArn: arnOf(ec2.place, 'ec2', `security-group-rule/${rule.id}`),
    GroupId: rule.groupId,
    GroupOwnerId: ec2.place.accountId,
    IsEgress: rule.isEgress,
    IpProtocol: rule.protocol,
    FromPort: rule.fromPort,
    ToPort: rule.toPort,
    CidrIpv4: kind === 'ipv4' ? value : undefined,
    CidrIpv6: kind === 'ipv6' ? value : undefined,
    PrefixListId: kind === 'prefixList' ? value : undefined,
    ReferencedGroupInfo: kind === 'group' ? { GroupId: value, UserId: ec2.place.accountId } : undefined,
    Description: rule.description,
    Tags: tagList(rule.tags),
  };
};
