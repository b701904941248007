import { kinds } from '../../../../shared/kinds/index.ts';
import { gcTasksOf } from '../../../../shared/providers/aws/plan/garbage/tasks.ts';
import {
  CSI_VOLUME_TAG,
  describeVolumes,
  type FoundVolume,
  isOlderThan,
  keptMessage,
  volumePolicyOf,
  volumesOf,
} from '../../../../shared/providers/aws/plan/garbage/volumes.ts';
import { isClustersInstance } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import { cloudProviderTag } from '../../../../shared/providers/aws/tags.ts';
import { type Actor, act, failuresOf } from '../infrastructure/act.ts';
import type { InfrastructureScope } from '../infrastructure/scope.ts';
import type { NetworkDependencies } from '../network/dependencies.ts';
import { volumeRecorder } from './reasons.ts';

interface DeleteVolume {
  type: 'DeleteVolume';
  volume: FoundVolume;
}

/**
 * The driver's tag has only the cluster's name: if two clusters have the same name, in this installation or not, the
 * owner of a volume is unknown.
 */
const namesake = async (deps: NetworkDependencies, { name, aws }: InfrastructureScope): Promise<string | undefined> => {
  const clusters = await deps.objects.list(kinds.cluster);
  const other = clusters.find(({ metadata }) => metadata.name === name.name && metadata.namespace !== name.namespace);
  if (other)
    return `the cluster ${other.metadata.namespace}/${other.metadata.name} has the same name, and may own them`;
  const named = await deps.ec2(aws).describeBastions([
    { name: `tag:${cloudProviderTag(name.name)}`, values: ['owned'] },
    { name: 'instance-state-name', values: ['pending', 'running', 'stopping', 'stopped'] },
  ]);
  const stranger = named.find(({ tags }) => !isClustersInstance(name, tags));
  return stranger && `instance ${stranger.id} belongs to another cluster of the same name, which may own them`;
};

const keep = async (
  deps: NetworkDependencies,
  { cluster }: InfrastructureScope,
  volumes: readonly FoundVolume[],
  reason: string | undefined,
): Promise<void> => {
  await volumeRecorder(deps).warning(cluster, 'VolumesKept', keptMessage(volumes, reason));
};

/**
 * Volumes that the CSI driver of the cluster made, when everything else is gone: they are kept and named by an event,
 * or deleted where an annotation says so. Returns those that cannot be deleted yet, in a sentence each.
 */
export const collectVolumes = async (deps: NetworkDependencies, scope: InfrastructureScope): Promise<string[]> => {
  const { name, awsCluster, cluster } = scope;
  const policy = volumePolicyOf(awsCluster, gcTasksOf(awsCluster).length === 0);
  const ec2 = deps.ec2(scope.aws);
  const found = await ec2.describeVolumes([
    { name: `tag:${cloudProviderTag(name.name)}`, values: ['owned'] },
    { name: 'tag-key', values: [CSI_VOLUME_TAG] },
  ]);
  const all = volumesOf(name, found);
  if (all.length === 0) return [];
  const reason = policy === 'Delete' ? await namesake(deps, scope) : undefined;
  if (policy === 'Keep' || reason) {
    await keep(deps, scope, all, reason);
    return [];
  }
  const older = all.filter((volume) => isOlderThan(cluster, volume));
  if (older.length > 0) await keep(deps, scope, older, 'they are older than the cluster');
  return deleteVolumes(
    deps,
    scope,
    all.filter((volume) => !older.includes(volume)),
  );
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
