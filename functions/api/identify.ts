import { findPrincipal } from '../../shared/access/aws-auth.ts';
import { isMaster } from '../../shared/access/masters.ts';
import type { Policy } from '../../shared/access/policy.ts';
import type { User } from '../../shared/kube-api/server/user.ts';

/**
 * The user that a principal is: named by its ARN, unless kube-system/aws-auth names it otherwise, and in the groups that
 * the map adds. The admins of the deployment are who they are, whatever is stored.
 */
export const makeIdentify =
  (policy: Pick<Policy, 'principalMap'>) =>
  async (user: User): Promise<User> => {
    if (isMaster(user)) return user;
    const mapped = await findPrincipal(await policy.principalMap(), user.name);
    if (!mapped) return user;
    return { ...user, name: mapped.username ?? user.name, groups: [...new Set([...mapped.groups, ...user.groups])] };
  };
