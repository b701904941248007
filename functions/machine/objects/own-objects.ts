import { RefusedError } from '../../../shared/errors.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { withLostController } from '../../../shared/plan/machines/ownership.ts';
import { isOfAnotherMachine } from '../../cluster/owners.ts';
import type { MachineSnapshot, TakenObject } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';

interface Owned<T extends KubeObject> {
  resource: ResourceDefinition<T>;
  object: T;
  field: TakenObject['field'];
  finalizer?: string | undefined;
}

const refusalOf = ({ field, object: { kind, metadata } }: TakenObject): RefusedError =>
  new RefusedError(
    `${field}: ${kind} ${metadata.namespace}/${metadata.name} is controlled by another Machine; name another one, or delete that Machine`,
  );

const own = async <T extends KubeObject>(
  { objects }: Pick<MachineObjectsDependencies, 'objects'>,
  machine: Machine,
  { resource, object, field, finalizer }: Owned<T>,
): Promise<void> => {
  const change = (current: T): T | undefined => {
    if (isOfAnotherMachine(current, machine)) throw refusalOf({ field, object: current });
    return withLostController(current, machine, finalizer);
  };
  await objects.mutate(resource, keyOf(object), change, { from: object });
};

/**
 * As upstream does, makes the Machine the controller of its infrastructure machine and its bootstrap configuration,
 * even if a user has created them. A finalizer keeps the infrastructure machine, which records created resources, until
 * all of them are gone. Throws RefusedError if another Machine controls one of them. Objects that external providers
 * reconcile are left to the passes.
 */
export const ownObjects = async (
  deps: Pick<MachineObjectsDependencies, 'objects'>,
  { machine, infrastructureMachine, config, distribution, taken: [taken] = [] }: MachineSnapshot,
): Promise<void> => {
  if (taken !== undefined) throw refusalOf(taken);
  if (infrastructureMachine && !infrastructureMachine.provider.isOutside) {
    const { provider, object } = infrastructureMachine;
    const finalizer = provider.finalizers.machine;
    await own(deps, machine, { resource: provider.machine, object, field: 'spec.infrastructureRef', finalizer });
  }
  if (config && distribution && !distribution.isOutside)
    await own(deps, machine, { resource: distribution.config, object: config, field: 'spec.bootstrap.configRef' });
};
