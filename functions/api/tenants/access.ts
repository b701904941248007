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
 * The user for a principal: its ARN is the name, unless kube-system/aws-auth gives it another, and the map may add
 * groups. The admins of the deployment stay the same, whatever is stored.
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

/** An additional check of a write; throws to refuse it. `authorize` tells what else the user may do. */
type MakeAdmission = (authorize: Authorize) => AccessControl['admit'];

export interface AccessDependencies {
  storage: Storage;
  clock: Clock;
  /** Writes through this registry trigger nothing else. */
  registry: Registry;
  log: Log;
  /**
   * Checks with which providers refuse new and changed objects that the user's roles allow. Deletions are not checked.
   */
  admissions: readonly MakeAdmission[];
  /** The check before the rules of a write read other objects (AccessControl). */
  admitRelated?: MakeAdmission;
}

/** Decides who may do what in the management API, based on the objects in it. */
export const makeAccess = ({ storage, clock, registry, log, admissions, admitRelated }: AccessDependencies) => {
  const policy = createPolicy({ storage, clock });
  const roles = createAccessControl(policy);
  const admitAlso = admissions.map((make) => make(roles.authorize));
  const control: AccessControl = {
    ...roles,
    identify: makeIdentify(policy),
    ...(admitRelated ? { admitRelated: admitRelated(roles.authorize) } : {}),
    admit: async (user, attempt) => {
      await roles.admit(user, attempt);
      if (attempt.isDeletion) return;
      for (const admit of admitAlso) await admit(user, attempt);
    },
  };

  /** Applies a write to the decisions of this process immediately; other processes cache their policy for a while. */
  const followWrite = async ({ resource, object }: WriteEvent): Promise<void> => {
    if (resource.group !== RBAC && object.metadata.namespace !== 'kube-system') return;
    policy.forget();
    if (resource.kind !== 'ClusterRole') return;
    await storeAggregates(registry).catch((error: unknown) => {
      // The decisions do not depend on it, and the next cold start tries again.
      log.error('The aggregated roles could not be stored', describeError(error));
    });
  };
  return { control, followWrite };
};
