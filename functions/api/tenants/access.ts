import { createAccessControl } from '../../../shared/access/access-control.ts';
import { storeAggregates } from '../../../shared/access/aggregate.ts';
import { findPrincipal } from '../../../shared/access/aws-auth.ts';
import { isMaster } from '../../../shared/access/masters.ts';
import { createPolicy, type Policy } from '../../../shared/access/policy.ts';
import type { Clock } from '../../../shared/clock.ts';
import { describeError } from '../../../shared/decode/describe-error.ts';
import type { Registry, WriteEvent } from '../../../shared/kube-api/registry/registry.ts';
import type { AccessControl, Authorize, User } from '../../../shared/kube-api/server/user.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import type { Log } from '../../../shared/log.ts';

/**
 * The user that a principal is: named by its ARN, unless kube-system/aws-auth names it otherwise, and in the groups that
 * the map adds. The admins of the deployment are who they are, whatever is stored.
 */
const makeIdentify =
  (policy: Pick<Policy, 'principalMap'>) =>
  async (user: User): Promise<User> => {
    if (isMaster(user)) return user;
    const mapped = await findPrincipal(await policy.principalMap(), user.name);
    if (!mapped) return user;
    return { ...user, name: mapped.username ?? user.name, groups: [...new Set([...mapped.groups, ...user.groups])] };
  };

const RBAC = 'rbac.authorization.k8s.io';

/** An additional check of a write; throws to refuse it. `authorize` says what else the user may do. */
type MakeAdmission = (authorize: Authorize) => AccessControl['admit'];

export interface AccessDependencies {
  storage: Storage;
  clock: Clock;
  /** Writes through it are followed by nothing. */
  registry: Registry;
  log: Log;
  /** What providers refuse to a user whom the roles let write. */
  admissions: readonly MakeAdmission[];
}

/** Who may do what in the management API: decided by the objects that are stored in it. */
export const makeAccess = ({ storage, clock, registry, log, admissions }: AccessDependencies) => {
  const policy = createPolicy({ storage, clock });
  const roles = createAccessControl(policy);
  const admitAlso = admissions.map((make) => make(roles.authorize));
  const control: AccessControl = {
    ...roles,
    identify: makeIdentify(policy),
    admit: async (user, attempt) => {
      await roles.admit(user, attempt);
      for (const admit of admitAlso) await admit(user, attempt);
    },
  };

  /** Decisions in this process follow a write immediately; other processes cache their policy for its time. */
  const followWrite = async ({ resource, object }: WriteEvent): Promise<void> => {
    if (resource.group !== RBAC && object.metadata.namespace !== 'kube-system') return;
    policy.forget();
    if (resource.kind !== 'ClusterRole') return;
    await storeAggregates(registry).catch((error: unknown) => {
      // What is decided does not depend on it, and the next cold start tries again.
      log.error('The aggregated roles could not be stored', describeError(error));
    });
  };
  return { control, followWrite };
};
