/**
 * The security groups of a cluster, by the machines in them, with upstream's names. `bastion` only exists while there
 * is a bastion.
 */
export const SECURITY_GROUP_ROLES = ['apiserver-lb', 'lb', 'controlplane', 'node', 'bastion'] as const;

export type SecurityGroupRole = (typeof SECURITY_GROUP_ROLES)[number];
