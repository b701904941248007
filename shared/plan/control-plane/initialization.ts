import type { Machine } from '../../kinds/index.ts';
import type { InstanceFacts } from '../infrastructure/instance.ts';
import { byAge } from './placement.ts';
import { isDeleting } from './preflight.ts';

/** The machine that was told to run the initialization of a control plane. */
export interface InitHolder {
  name: string;
  /** Undefined as an earlier version recorded it. A user may create a machine of the same name again. */
  uid: string | undefined;
}

/** Whether a machine holds the initialization of its control plane. */
export const isInitHolder = (
  holder: InitHolder | undefined,
  { name, uid }: { name: string; uid?: string | undefined },
): boolean => holder !== undefined && holder.name === name && (holder.uid === undefined || holder.uid === uid);

export interface InitializationFacts {
  /** The machines of a control plane that is not known to be initialized, including those being deleted. */
  machines: readonly Machine[];
  /** By the name of their machine. */
  instances: ReadonlyMap<string, Pick<InstanceFacts, 'mayHaveRun'>>;
  /** Undefined while no machine was told to run the initialization, or once it has succeeded. */
  initializer: InitHolder | undefined;
}

/**
 * The machines that must be deleted together with the one that has initialized the control plane, before another
 * machine initializes it again, oldest first. They may have joined its cluster, even if its API server was never
 * observed. If they were kept, they would be a second cluster behind the same endpoint. Upstream creates the others
 * only afterwards, so it never has this case.
 */
export const strandedMachines = ({ machines, instances, initializer }: InitializationFacts): Machine[] => {
  if (initializer === undefined) return [];
  const live = machines.filter((machine) => !isDeleting(machine));
  if (live.some(({ metadata }) => isInitHolder(initializer, metadata))) return [];
  return live.filter(({ metadata }) => instances.get(metadata.name)?.mayHaveRun).sort(byAge);
};
