import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Secret } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { ownedByControlPlane } from '../../../../shared/plan/control-plane/secret-owner.ts';
import { isObjectPaused } from '../../../../shared/plan/status/paused.ts';
import type { ObjectsDependencies } from '../dependencies.ts';

interface Owner {
  owner: ControlPlane;
  distribution: Distribution;
}

/** Makes the control plane the controller of a Secret in its cluster that a controller has created. */
export const adoptSecret = async (
  { objects }: Pick<ObjectsDependencies, 'objects'>,
  { owner, distribution }: Owner,
  secret: Secret,
): Promise<Secret> => {
  const isOpen = distribution.adopts && !owner.metadata.deletionTimestamp && !isObjectPaused(owner);
  if (!isOpen || !ownedByControlPlane(secret, owner)) return secret;
  const change = (current: Secret) => ownedByControlPlane(current, owner);
  return (await objects.mutate(kinds.secret, keyOf(secret), change)) ?? secret;
};
