import type { MachineDeployment, MachineSet } from '../../../../shared/kinds/index.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { workApart } from '../../apart.ts';
import { type ClusterSnapshot, readCluster } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { adoptOrphans } from './adopt.ts';
import { noteAvailable } from './available.ts';
import { finishDeployment, reconcileDeployment } from './machine-deployment.ts';
import { scaleSet } from './machine-set.ts';

/**
 * Takes the next step towards the desired state of all MachineDeployments with their MachineSets, and of the machines
 * of every set.
 */
export const workers =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref }: ConvergeInput) => {
    const read = await readCluster(deps.objects, ref);
    if (!read) return {};
    const apart = workApart();
    const snapshot = await adoptOrphans(deps, await noteAvailable(deps, read, apart));
    const changed = await apart.attempt(() => reconcileWorkers(deps, snapshot), 0);
    apart.rethrow();
    return { changed };
  };

/**
 * The same for those MachineDeployments and MachineSets of a snapshot that `isMeant` accepts, by default all; decisions
 * are based on the complete snapshot. Returns the number of machines that were created or deleted. Throws the first
 * failure once everything else is done.
 */
export const reconcileWorkers = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  isMeant: (owner: MachineDeployment | MachineSet) => boolean = () => true,
): Promise<number> => {
  const { each, rethrow } = workApart();
  const deployments = snapshot.deployments.filter(isMeant);
  const sets = (await each(deployments, (owner) => reconcileDeployment(deps, snapshot, owner))).flat();
  const owned = new Set(sets.map((set) => set.metadata.uid));
  const others = snapshot.sets.filter((set) => !owned.has(set.metadata.uid));
  // Includes the sets that were just created: because of them, their deployments no longer need the machines of the
  // other sets.
  const now = { ...snapshot, sets: [...sets, ...others] };
  const changed = await each(now.sets.filter(isMeant), (set) => scaleSet(deps, now, set));
  await each(deployments, (owner) => finishDeployment(deps, snapshot, owner));
  rethrow();
  return changed.reduce((total, count) => total + count, 0);
};
