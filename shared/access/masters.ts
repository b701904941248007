import type { User } from '../kube-api/server/user.ts';

/** The group whose members may do everything, whatever is stored: the way back in for those who locked themselves out. */
export const MASTERS = 'system:masters';

/** Everyone whose token was verified. */
export const AUTHENTICATED = 'system:authenticated';

/** Upstream's group of those who scrape metrics. */
export const MONITORING = 'system:monitoring';

/** The users named at deployment, for all namespaces: they have the roles `edit` and `view`. */
export const EDITORS = 'windlass:editors';
export const VIEWERS = 'windlass:viewers';

export const isMaster = ({ groups }: User): boolean => groups.includes(MASTERS);
