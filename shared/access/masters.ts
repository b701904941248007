import type { User } from '../kube-api/server/user.ts';

/**
 * The group whose members may do everything, whatever is stored. It lets users who have locked themselves out regain
 * access.
 */
export const MASTERS = 'system:masters';

/** Everyone whose token was verified. */
export const AUTHENTICATED = 'system:authenticated';

/** Upstream's group for clients that scrape metrics. */
export const MONITORING = 'system:monitoring';

/** The groups of the users named at deployment: their members have the roles `edit` and `view` in all namespaces. */
export const EDITORS = 'windlass:editors';
export const VIEWERS = 'windlass:viewers';

export const isMaster = ({ groups }: User): boolean => groups.includes(MASTERS);
