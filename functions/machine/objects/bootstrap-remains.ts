import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { BootstrapConfig } from '../../../shared/kinds/contract-objects.ts';
import { kinds, type Secret } from '../../../shared/kinds/index.ts';
import { isOwnedByKind } from '../../../shared/kinds/reference.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { withLostDataOwner } from '../../../shared/plan/machines/data-owner.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';

/**
 * Whether a machine needs no bootstrap data any more: with a node, it has fetched the data, and if its instance is
 * gone, it never will.
 */
export const needsNoData = ({ machine: { status }, infrastructureMachine }: MachineSnapshot): boolean =>
  infrastructureMachine !== null && (status?.nodeRef !== undefined || infrastructureMachine.facts.gone);

export const deleteBootstrapData = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
): Promise<void> => {
  const { name = '' } = snapshot.infrastructureMachine?.provider ?? {};
  await deps.deliveries[name]?.remove(snapshot, 'machine-objects');
};

/**
 * Whether a configuration owns a Secret. The names of owners are compared: after a restored backup, the Secret may have
 * the former uid of its owner.
 */
export const isOwnedByName = ({ metadata }: Secret, { config: kind }: Distribution, config: BootstrapConfig): boolean =>
  metadata.ownerReferences?.some((owner) => isOwnedByKind(kind)(owner) && owner.name === config.metadata.name) === true;

/** A Secret that has lost its owners is recognized by the name in the configuration's status. */
const isMadeFrom = (secret: Secret, distribution: Distribution, config: BootstrapConfig): boolean =>
  isOwnedByName(secret, distribution, config) || withLostDataOwner(secret, config) !== undefined;

/**
 * Deletes a bootstrap configuration, and the Secret that was created from it. Another Secret that only has the same
 * name stays.
 */
export const deleteConfig = async (
  objects: Pick<ObjectClient, 'get' | 'delete'>,
  distribution: Distribution,
  config: BootstrapConfig,
): Promise<void> => {
  const secret = await objects.get(kinds.secret, keyOf(config), { unopened: true });
  if (secret && isMadeFrom(secret, distribution, config)) await objects.delete(kinds.secret, secret);
  await objects.delete(distribution.config, config);
};
