import type { AWSMachinePool } from '../../../kinds/index.ts';
import { presentInstances, providerIdOf } from './instances.ts';
import type { ObservedGroup } from './model.ts';

/**
 * Whether others have changed a group since it was last as its pool asks for: it is gone or going, has other sizes, or
 * other instances. A look at the pool finds the rest, and repairs it.
 */
export const hasChanged = ({ spec }: AWSMachinePool, group: ObservedGroup | undefined): boolean => {
  if (!group || group.status !== undefined) return true;
  if (group.minSize !== spec?.minSize || group.maxSize !== spec.maxSize) return true;
  const present = presentInstances(group).map(providerIdOf).sort();
  const known = [...(spec.providerIDList ?? [])].sort();
  return present.length !== known.length || present.some((id, index) => id !== known[index]);
};
