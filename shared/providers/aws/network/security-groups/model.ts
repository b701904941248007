import type { Tags } from '../../tags.ts';
import type { SecurityGroupRole } from './roles.ts';

/** A security group to which a rule of the spec refers, by id or by role. */
export interface RuleSource {
  /** `spec.network.additionalNodeIngressRules[0].sourceSecurityGroupIds[1]`. */
  field: string;
  id?: string;
  role?: string;
}

/** One rule for one source. Ports are undefined for protocols without ports. */
export interface IngressPermission {
  protocol: string;
  fromPort?: number;
  toPort?: number;
  /** An IPv4 or IPv6 range, or the id of a security group. */
  source: string;
  description?: string;
}

export interface ObservedSecurityGroup {
  id: string;
  vpcId: string;
  name: string;
  tags: Tags;
  ingress: readonly IngressPermission[];
  /** Groups to which its outbound rules refer: these groups cannot be deleted before it. */
  egressGroupIds: readonly string[];
  /** Whether it has any outbound rule. */
  hasEgress?: boolean;
}

export interface DesiredSecurityGroup {
  role: SecurityGroupRole;
  /** A user's group for the role: used unchanged. */
  overrideId?: string;
  name: string;
  description: string;
  tags: Tags;
  /** Unwanted rules are revoked, except in groups to which the cluster's own controllers also write rules. */
  isAuthoritative: boolean;
  /** Sources may be roles, which are replaced by ids once the groups exist. */
  ingress: readonly (Omit<IngressPermission, 'source'> & { source: string | { role: SecurityGroupRole } })[];
}

export interface SeenSecurityGroups {
  securityGroups: readonly ObservedSecurityGroup[];
}

export interface WantedSecurityGroups {
  securityGroups: readonly DesiredSecurityGroup[];
  /** Keys of spec.network.securityGroupOverrides that are not roles. */
  unknownOverrides: readonly string[];
  /** Groups to which rules of the spec refer. */
  ruleSources: readonly RuleSource[];
}

export type SecurityGroupAction =
  | { type: 'CreateSecurityGroup'; vpcId: string; name: string; description: string; tags: Tags }
  | { type: 'AuthorizeIngress'; groupId: string; permissions: readonly IngressPermission[]; tags: Tags }
  | { type: 'RevokeIngress'; groupId: string; permissions: readonly IngressPermission[] }
  | { type: 'RevokeEgressToGroups'; groupId: string; groupIds: readonly string[] }
  | { type: 'DeleteSecurityGroup'; groupId: string };
