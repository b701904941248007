import { type AWSCluster, kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { type ApiCall, isSessionOf } from '../../../../shared/providers/aws/plan/drift/api-call.ts';
import { SECRET_NAMESPACE } from '../../../../shared/providers/aws/plan/identity/annotations.ts';

type Objects = Pick<ObjectClient, 'get'>;

const accessKeyOf = async (objects: Objects, name: string): Promise<string | undefined> => {
  const identity = await objects.get(kinds.awsClusterStaticIdentity, { namespace: '', name });
  const secretRef = identity?.spec?.secretRef;
  const secret = secretRef
    ? await objects.get(kinds.secret, { namespace: SECRET_NAMESPACE, name: secretRef })
    : undefined;
  const encoded = secret?.data?.AccessKeyID;
  return encoded ? Buffer.from(encoded, 'base64').toString('utf8').trim() : undefined;
};

/**
 * Whether Windlass made a call with the cluster's identity: the rule knows only the stack's own roles. Otherwise, each
 * call of a pass would request another pass. Reads the identity, which is one object, and the Secret of an access key.
 */
export const isOwnCall = async (objects: Objects, call: ApiCall, { spec }: AWSCluster): Promise<boolean> => {
  const { kind, name = '' } = spec.identityRef ?? {};
  switch (kind) {
    case 'AWSClusterRoleIdentity': {
      const role = await objects.get(kinds.awsClusterRoleIdentity, { namespace: '', name });
      return role !== undefined && isSessionOf(call, role);
    }
    case 'AWSClusterStaticIdentity':
      return call.accessKeyId !== undefined && call.accessKeyId === (await accessKeyOf(objects, name));
    default:
      return false;
  }
};
