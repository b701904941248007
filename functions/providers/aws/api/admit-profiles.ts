import { ADOPT } from '../../../../shared/access/adopt-verb.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import { formatCauses } from '../../../../shared/kube-api/field-error.ts';
import { isObject } from '../../../../shared/kube-api/json.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { decide } from '../../../../shared/kube-api/server/authorize.ts';
import type { Authorize, User, WriteAttempt } from '../../../../shared/kube-api/server/user.ts';
import { forbidden } from '../../../../shared/kube-api/status-error.ts';
import type { Storage } from '../../../../shared/kube-api/storage/storage.ts';
import { permittedProfiles, profileProblem } from '../../../../shared/providers/aws/plan/launch/profiles.ts';

/** The field in which machines name their instance profile, by the plural of the resource. */
const FIELDS: Readonly<Record<string, string>> = {
  awsmachines: 'spec.iamInstanceProfile',
  awsmachinetemplates: 'spec.template.spec.iamInstanceProfile',
  awsmachinepools: 'spec.awsLaunchTemplate.iamInstanceProfile',
};

const valueAt = (object: KubeObject | undefined, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);

export interface ProfileDependencies {
  storage: Pick<Storage, 'get'>;
  authorize: Authorize;
  /** The profiles that the installation lists. */
  instanceProfiles: readonly string[];
}

/**
 * Refuses an instance profile that the namespace may not use, and names the field. A user with the verb `adopt` may
 * record the profile that an instance already has; the launch of another instance with it is still refused. A write
 * that changes no profile costs nothing; any other costs a read of the Namespace.
 */
export const makeAdmitProfiles =
  ({ storage, authorize, instanceProfiles }: ProfileDependencies) =>
  async (user: User, { resource, object, old }: WriteAttempt): Promise<void> => {
    const { group, plural } = resource;
    const field = group === kinds.awsMachine.group ? FIELDS[plural] : undefined;
    const profile = field && valueAt(object, field);
    if (!field || typeof profile !== 'string' || profile === '' || profile === valueAt(old, field)) return;
    const { name = '', namespace = '' } = object.metadata;
    const permitted = permittedProfiles(instanceProfiles, await storage.get(kinds.namespace, '', namespace));
    const problem = profileProblem(profile, permitted);
    if (problem === undefined) return;
    const asked = { verb: ADOPT, group, resource: plural, namespace, ...(name ? { name } : {}) };
    if ((await decide(authorize, user, asked)).allowed) return;
    const cause = { type: 'FieldValueForbidden', field, detail: problem } as const;
    throw forbidden(resource, name, `${field}: ${problem}`, formatCauses([cause]));
  };
