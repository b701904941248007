/** The security groups of a cluster, by the machines in them; upstream's names. `bastion` exists while there is one. */
export const SECURITY_GROUP_ROLES = ['apiserver-lb', 'lb', 'controlplane', 'node', 'bastion'] as const;

export type SecurityGroupRole = (typeof SECURITY_GROUP_ROLES)[number];
