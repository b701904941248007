import type { MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';

/** A machine with a node has fetched what it needs, and one whose instance is gone never will. */
export const needsNoData = ({ machine: { status }, infrastructureMachine }: MachineSnapshot): boolean =>
  infrastructureMachine !== null && (status?.nodeRef !== undefined || infrastructureMachine.facts.gone);

export const deleteBootstrapData = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
): Promise<void> => {
  const { name = '' } = snapshot.infrastructureMachine?.provider ?? {};
  await deps.deliveries[name]?.remove(snapshot, 'machine-objects');
};
