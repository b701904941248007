import { gcTasksOf } from '../../../../shared/providers/aws/plan/garbage/tasks.ts';
import {
  claimedVolumes,
  describeVolumes,
  driverFilters,
  type FoundVolume,
  isOlderThan,
  keptMessage,
  unclaimedVolumes,
  unprovenMessage,
  volumePolicyOf,
} from '../../../../shared/providers/aws/plan/garbage/volumes.ts';
import { type Actor, act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from '../network/dependencies.ts';
import { volumeRecorder } from './reasons.ts';

interface DeleteVolume {
  type: 'DeleteVolume';
  volume: FoundVolume;
}

/**
 * Handles volumes that the cluster's CSI driver created, after everything else is deleted. They are kept and reported
 * by an event, unless an annotation requests their deletion and they verifiably belong to the cluster. Returns those
 * that cannot be deleted yet, in a sentence each.
 */
export const collectVolumes = async (deps: NetworkDependencies, scope: InfrastructureScope): Promise<string[]> => {
  const { name, awsCluster, cluster } = scope;
  const policy = volumePolicyOf(awsCluster, gcTasksOf(awsCluster).length === 0);
  const found = await deps.ec2(scope.aws).describeVolumes(driverFilters(name));
  const own = claimedVolumes(name, found);
  const deleted = policy === 'Delete' ? own.filter((volume) => !isOlderThan(cluster, volume)) : [];
  const kept = own.filter((volume) => !deleted.includes(volume));
  const recorder = volumeRecorder(deps);
  if (kept.length > 0) await recorder.warning(cluster, 'VolumesKept', keptMessage(policy, kept));
  if (unclaimedVolumes(name, found).length > 0)
    await recorder.warning(cluster, 'VolumesKept', unprovenMessage(policy, name));
  return deleteVolumes(deps, scope, deleted);
};

const deleteVolumes = async (
  deps: NetworkDependencies,
  { awsCluster, cluster, aws }: InfrastructureScope,
  volumes: readonly FoundVolume[],
): Promise<string[]> => {
  const ec2 = deps.ec2(aws);
  const actor: Actor<DeleteVolume, DeleteVolume['type']> = {
    perform: async ({ volume }) => {
      await ec2.deleteVolume(volume.id);
      return `Deleted volume ${describeVolumes([volume])}, which the cluster's controllers created`;
    },
    reasonOf: ({ type }) => type,
    recorder: volumeRecorder(deps),
    regarding: awsCluster ?? cluster,
  };
  const outcomes = await act(
    actor,
    volumes.map((volume): DeleteVolume => ({ type: 'DeleteVolume', volume })),
  );
  failuresOf(outcomes);
  return outcomes.flatMap(({ verdict, action, message }) =>
    verdict === 'done' ? [] : [`volume ${action.volume.id}: ${message}`],
  );
};
