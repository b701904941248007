import { secretName } from '../../shared/bootstrap/certificates/secrets.ts';
import { kinds } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/client.ts';

/** The kubeconfig of a created cluster, from its secret; undefined before there is one. */
export const readKubeconfig = async (
  objects: ObjectClient,
  namespace: string,
  clusterName: string,
): Promise<string | undefined> => {
  const secret = await objects.get(kinds.secret, { namespace, name: secretName(clusterName, 'kubeconfig') });
  const value = secret?.data?.value;
  return value ? Buffer.from(value, 'base64').toString('utf8') : undefined;
};
