import { kinds } from '../../../shared/kinds/index.ts';
import { decide } from '../../../shared/kube-api/server/authorize.ts';
import type { Authorize, User, WriteAttempt } from '../../../shared/kube-api/server/user.ts';
import { forbidden } from '../../../shared/kube-api/status-error.ts';
import { classKeyOf, isSameKey } from './classes.ts';

/**
 * Refuses a Cluster with a class in another namespace if the user may not read that class: its templates become objects
 * in the user's namespace, and the rules of the write quote its variables. A write that does not change the reference
 * costs nothing. The object may be unprocessed input.
 */
export const makeAdmitClass =
  (authorize: Authorize) =>
  async (user: User, { resource, object, old }: WriteAttempt): Promise<void> => {
    const { group, version, plural } = kinds.clusterClass;
    if (resource.kind !== kinds.cluster.kind || resource.group !== kinds.cluster.group) return;
    const key = classKeyOf(object);
    const { name: clusterName, namespace: own = '' } = object.metadata;
    if (!key || key.namespace === own || (old && isSameKey(key, classKeyOf(old)))) return;
    const { namespace, name } = key;
    const asked = { verb: 'get', group, version, resource: plural, namespace, name };
    if ((await decide(authorize, user, asked)).allowed) return;
    const why = `spec.topology.classRef: the ClusterClass is in namespace "${namespace}"; to use it, you need the right to get it there`;
    throw forbidden(resource, clusterName, why);
  };
