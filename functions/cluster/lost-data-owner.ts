import { SealError } from '../../shared/errors.ts';
import type { BootstrapConfig } from '../../shared/kinds/contract-objects.ts';
import { kinds, type Secret } from '../../shared/kinds/index.ts';
import type { ObjectClient } from '../../shared/kube-api/storage/client.ts';
import { withLostDataOwner } from '../../shared/plan/machines/data-owner.ts';

/** Makes a configuration the controller of its bootstrap data again. */
export const restoreDataOwner = async (
  objects: Pick<ObjectClient, 'get' | 'mutate'>,
  config: BootstrapConfig,
): Promise<void> => {
  const name = config.status?.dataSecretName;
  if (name === undefined) return;
  const key = { namespace: config.metadata.namespace ?? '', name };
  // Most need no change, and opening a Secret costs a call.
  const secret = await objects.get(kinds.secret, key, { unopened: true });
  if (!secret || !withLostDataOwner(secret, config)) return;
  const change = (current: Secret) => withLostDataOwner(current, config);
  try {
    await objects.mutate(kinds.secret, key, change);
  } catch (error) {
    // Nobody can read or write such a Secret any more; it is still deleted with its configuration.
    if (!(error instanceof SealError)) throw error;
  }
};
