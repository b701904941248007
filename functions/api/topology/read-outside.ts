import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { type ContractKinds, outsideKind, resolve } from '../../../shared/outside/kinds.ts';

/** Reads a control plane of an external provider. */
export type ReadOutside = (
  reference: { apiGroup: string; kind: string; name: string },
  namespace: string,
) => Promise<KubeObject | undefined>;

type Objects = Pick<ObjectClient, 'get'> & { contractKinds: ContractKinds };

/**
 * The complete object, in the version of the contract: the core's view of such objects does not include the versions of
 * machines.
 */
export const makeReadOutside =
  (access: () => Objects): ReadOutside =>
  async ({ apiGroup, kind, name }, namespace) => {
    const { get, contractKinds } = access();
    const found = resolve(outsideKind('controlPlane', apiGroup, kind), await contractKinds());
    return found && get(found.resource, { namespace, name });
  };
