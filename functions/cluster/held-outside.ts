import type { Machine } from '../../shared/kinds/index.ts';
import type { ProvidedMachine } from '../../shared/providers/registry.ts';
import { isControlledBy } from './owners.ts';

/**
 * Whether a provider from outside has to take the machine's infrastructure down before the machine goes. What another
 * object controls is not the machine's, and does not hold it.
 */
export const isHeldOutside = (machine: Machine, { provider, object }: ProvidedMachine): boolean =>
  provider.isOutside === true && isControlledBy(object, machine);
