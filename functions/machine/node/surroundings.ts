import { kinds } from '../../../shared/kinds/index.ts';
import { isNodeDeletionAllowed, type Surroundings } from '../../../shared/plan/drain/stages.ts';
import { readControlPlane } from '../../cluster/snapshot.ts';
import type { MachineSnapshot } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';

/** The cluster and machines around a machine, read again. */
const surroundingsOf = async (
  { objects }: NodeDependencies,
  { machine, cluster }: MachineSnapshot,
): Promise<Surroundings> => {
  if (!cluster) return { cluster, controlPlane: null, machines: [] };
  const [{ controlPlane }, machines] = await Promise.all([
    readControlPlane(objects, cluster),
    objects.listOfCluster(kinds.machine, machine.metadata.namespace ?? '', cluster.metadata.name),
  ]);
  return { cluster, controlPlane, machines };
};

/**
 * Whether the machine's node must be drained and deleted (`shared/plan/drain/stages.ts`), based on the current objects.
 */
export const mayDeleteNode = async (deps: NodeDependencies, snapshot: MachineSnapshot): Promise<boolean> =>
  isNodeDeletionAllowed(snapshot.machine, await surroundingsOf(deps, snapshot));
