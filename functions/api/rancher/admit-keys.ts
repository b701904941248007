import { kinds, type RancherCluster } from '../../../shared/kinds/index.ts';
import { secretsNamedIn } from '../../../shared/kinds/rancher-cluster/config-text.ts';
import { type SecretName, secretText } from '../../../shared/kinds/rancher-cluster/names.ts';
import { decide } from '../../../shared/kube-api/server/authorize.ts';
import type { Authorize, User, WriteAttempt } from '../../../shared/kube-api/server/user.ts';
import { forbidden } from '../../../shared/kube-api/status-error.ts';

const UNSERVED =
  'this kind needs clusters on hosts, which this installation does not serve; deploy it with -c hosts=true';

const configOf = (object: object | undefined): string => (object as RancherCluster | undefined)?.spec.config ?? '';

/** The Secrets that the written object names and the previous one did not. */
const newlyNamed = (object: object, old: object | undefined): SecretName[] => {
  if (configOf(object) === configOf(old)) return [];
  const known = secretsNamedIn(configOf(old)).map(secretText);
  return secretsNamedIn(configOf(object)).filter((secret) => !known.includes(secretText(secret)));
};

/**
 * Refuses a Cluster of Rancher's group with a Secret that the user may not read: the Secret's key is used to log in to
 * the hosts, and is copied into the cluster's namespace. Secrets that the Cluster already named are not checked again.
 * Also refuses new Clusters if no workflow would serve them.
 */
export const makeAdmitKeys =
  (isServed: boolean) =>
  (authorize: Authorize) =>
  async (user: User, { resource, object, old }: WriteAttempt): Promise<void> => {
    const { group, plural } = kinds.rancherCluster;
    if (resource.group !== group || resource.plural !== plural) return;
    const { name } = object.metadata;
    if (!isServed && !old) throw forbidden(resource, name, UNSERVED);
    for (const secret of newlyNamed(object, old)) {
      const asked = { verb: 'get', group: '', version: 'v1', resource: 'secrets', ...secret };
      if ((await decide(authorize, user, asked)).allowed) continue;
      const why = `spec.config: ssh_key_path names the Secret ${secretText(secret)}; to use it, you need the right to get it`;
      throw forbidden(resource, name, why);
    }
  };
