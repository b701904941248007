import type { Machine } from '../../shared/kinds/index.ts';
import type { ProvidedMachine } from '../../shared/providers/registry.ts';
import { isControlledBy } from './owners.ts';

/**
 * Whether an external provider must remove the infrastructure before the machine is deleted. Infrastructure that
 * another object controls does not belong to the machine.
 */
export const isHeldOutside = (machine: Machine, { provider, object }: ProvidedMachine): boolean =>
  provider.isOutside === true && isControlledBy(object, machine);
