import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { readCluster } from '../snapshot.ts';
import { adoptOrphans } from './adopt.ts';
import { noteAvailable } from './available.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { finishDeployment, reconcileDeployment } from './machine-deployment.ts';
import { scaleSet } from './machine-set.ts';

/** Moves each MachineDeployment's MachineSets, and the machines of every set, one step closer to the desired state. */
export const workers =
  (deps: ObjectsDependencies) =>
  async ({ cluster: ref }: ConvergeInput) => {
    const read = await readCluster(deps.objects, ref);
    if (!read) return {};
    const snapshot = await adoptOrphans(deps, await noteAvailable(deps, read));
    const sets = await Promise.all(snapshot.deployments.map((owner) => reconcileDeployment(deps, snapshot, owner)));
    const owned = new Set(sets.flat().map((set) => set.metadata.uid));
    const others = snapshot.sets.filter((set) => !owned.has(set.metadata.uid));
    // With the sets that were just created: their deployments no longer want the machines of the others.
    const now = { ...snapshot, sets: [...sets.flat(), ...others] };
    const changed = await Promise.all(now.sets.map((set) => scaleSet(deps, now, set)));
    await Promise.all(snapshot.deployments.map((owner) => finishDeployment(deps, snapshot, owner)));
    return { changed: changed.reduce((total, count) => total + count, 0) };
  };
