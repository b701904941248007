import type { AWSCluster } from '../../../../kinds/index.ts';
import type { IngressRule } from '../../../../kinds/schema/aws-network.ts';
import type { NetworkAction } from '../../network/model.ts';
import type { IngressPermission } from '../../network/security-groups/model.ts';

/** The fields of an AWSCluster that can express rules for a role's group without changes to those of other roles. */
const FIELDS = {
  controlplane: 'additionalControlPlaneIngressRules',
  node: 'additionalNodeIngressRules',
} as const;

type Role = keyof typeof FIELDS;

const roleOf = ({ status }: AWSCluster, groupId: string): Role | undefined => {
  const groups: Readonly<Record<string, { id: string }>> = status?.networkStatus?.securityGroups ?? {};
  return (Object.keys(FIELDS) as Role[]).find((role) => groups[role]?.id === groupId);
};

const sourceOf = (source: string): Partial<IngressRule> | undefined => {
  if (source.startsWith('sg-')) return { sourceSecurityGroupIds: [source] };
  if (source.startsWith('pl-')) return undefined;
  return source.includes(':') ? { ipv6CidrBlocks: [source] } : { cidrBlocks: [source] };
};

/** Undefined if the AWSCluster cannot express the rule: prefix lists, and protocols other than TCP and UDP. */
const ruleOf = ({
  protocol,
  fromPort,
  toPort,
  source,
  description = '',
}: IngressPermission): IngressRule | undefined => {
  const from = sourceOf(source);
  if ((protocol !== 'tcp' && protocol !== 'udp') || fromPort === undefined || toPort === undefined || !from) {
    return undefined;
  }
  return { description, protocol, fromPort, toPort, ...from };
};

/**
 * How the AWSCluster would express the rules that were added to a group, instead of removing them. Undefined if it
 * cannot: missing rules, groups of load balancers and bastions, and rules that `ruleOf` does not support.
 */
export const adoptRules = (
  action: NetworkAction,
  awsCluster: AWSCluster,
): ((current: AWSCluster) => AWSCluster) | undefined => {
  if (action.type !== 'RevokeIngress') return undefined;
  const role = roleOf(awsCluster, action.groupId);
  const rules = action.permissions.map(ruleOf);
  if (!role || !rules.every((rule) => rule !== undefined)) return undefined;
  const field = FIELDS[role];
  return (current) => {
    const { network = {} } = current.spec;
    const adopted = [...(network[field] ?? []), ...rules];
    return { ...current, spec: { ...current.spec, network: { ...network, [field]: adopted } } };
  };
};
