/** Holds the deletion of machines with hooks, so that rollouts and deletions stop at the same point on both sides. */
import type { Api } from '../../../infra/cli/api/client.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { formatTime } from '../../../shared/kube-api/object.ts';
import { CLUSTER, isWorker, type Judge, listMachines, MACHINES, MERGE, pathOf } from './clusters.ts';
import type { Conditions } from './conditions.ts';

const HOOK = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/conditions';
const DEPLOYMENT = pathOf('cluster.x-k8s.io', 'machinedeployments/healthy-md-0');

/** Sets the hook on the machines that `isChosen` selects, or removes it if `owner` is null. */
const setHooks = async (api: Api, owner: string | null, isChosen: (machine: Machine) => boolean): Promise<void> => {
  for (const { metadata } of (await listMachines(api)).filter(isChosen)) {
    await api.send('PATCH', `${MACHINES}/${metadata.name}`, { metadata: { annotations: { [HOOK]: owner } } }, MERGE);
  }
};

export const holdAll = (api: Api): Promise<void> => setHooks(api, 'suite', () => true);
export const releaseWorkers = (api: Api): Promise<void> => setHooks(api, null, isWorker);
export const releaseAll = (api: Api): Promise<void> => setHooks(api, null, () => true);

/** Replaces all machines of the deployment. */
export const rollOut = (api: Api): Promise<unknown> =>
  api.send('PATCH', DEPLOYMENT, { spec: { rollout: { after: formatTime(systemClock.now()) } } }, MERGE);

export const deleteCluster = (api: Api): Promise<unknown> => api.send('DELETE', CLUSTER);

/** Judges whether exactly `deleting` machines are being deleted and exactly `others` are not. */
export const lackOfDeleting =
  (deleting: number, others: number) =>
  (_conditions: Conditions, machines: readonly { metadata: { deletionTimestamp?: string } }[]): string | undefined => {
    const found = machines.filter(({ metadata }) => metadata.deletionTimestamp).length;
    const left = machines.length - found;
    return found === deleting && left === others ? undefined : `${found} machines are being deleted, ${left} are not`;
  };

/**
 * Judges whether only the three control plane machines are left, all of them being deleted, and the control plane
 * reports that they are not ready.
 */
export const lackOfControlPlaneLeaving: Judge = (conditions, machines) => {
  const ready = conditions.get('KubeadmControlPlane')?.get('MachinesReady');
  const lack = lackOfDeleting(3, 0)(conditions, machines);
  return lack ?? (ready?.every((text) => text.startsWith('False')) ? undefined : `MachinesReady: ${ready}`);
};
