import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../../../shared/kinds/infrastructure.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { withoutFinalizer } from '../../../../shared/kube-api/registry/finalizers.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import type { Infrastructure } from '../../../../shared/providers/infrastructure.ts';
import { deleteConfig } from '../../../machine/objects/bootstrap-remains.ts';

/** The parts of a machine apart from its Machine. */
interface Parts {
  /** Absent if a user provides the bootstrap data. */
  config?: { distribution: Distribution; object: BootstrapConfig } | undefined;
  infrastructure: { provider: Infrastructure; object: InfrastructureMachine };
}

type Objects = Pick<ObjectClient, 'get' | 'ensure' | 'delete' | 'mutate'>;

/**
 * Creates the missing parts of a machine. A function that continues after another one has taken over may do this after
 * the Machine was removed; nothing else would delete these parts then, so they are deleted immediately.
 */
export const completeMachine = async (objects: Objects, machine: Machine, parts: Parts): Promise<void> => {
  const { config, infrastructure } = parts;
  const configured = config && (await objects.ensure(config.distribution.config, config.object));
  const { provider } = infrastructure;
  // This comes last: if it exists, the machine is complete.
  const { object, created } = await objects.ensure(provider.machine, infrastructure.object);
  if (!created || (await isThere(objects, machine))) return;
  await objects.delete(provider.machine, object);
  const { machine: finalizer } = provider.finalizers;
  if (finalizer !== undefined) await objects.mutate(provider.machine, object, withoutFinalizer(finalizer));
  // A configuration that already existed may belong to another machine.
  if (config && configured?.created) await deleteConfig(objects, config.distribution, configured.object);
};

const isThere = async (objects: Pick<ObjectClient, 'get'>, machine: Machine): Promise<boolean> =>
  (await objects.get(kinds.machine, keyOf(machine)))?.metadata.uid === machine.metadata.uid;
