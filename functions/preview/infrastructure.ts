import type { InfrastructureCluster } from '../../shared/kinds/infrastructure.ts';
import { isObjectPaused } from '../../shared/plan/status/paused.ts';
import { infrastructureOf, isSameProvider } from '../../shared/providers/registry.ts';
import type { Change } from './reads.ts';
import type { World } from './world.ts';

/** The effects of a change of an infrastructure cluster, from its provider. */
export const infrastructureNotes = (
  { resource, object }: Change,
  before: World | undefined,
  after: World,
): readonly string[] => {
  const { group, kind } = resource;
  const provider = infrastructureOf('cluster', { apiGroup: group, kind });
  if (!provider || object.metadata.deletionTimestamp) return [];
  const infrastructure = object as InfrastructureCluster;
  const was =
    isSameProvider(before?.snapshot.provider, provider) && before ? before.snapshot.infrastructureCluster : null;
  const notes = provider.preview.change(
    { cluster: after.snapshot.cluster, infrastructure },
    before && was ? { cluster: before.snapshot.cluster, infrastructure: was } : undefined,
  );
  const isHeld = provider.withPaused !== undefined && isObjectPaused(infrastructure) && notes.length > 0;
  return isHeld ? [`the ${kind} is paused: this happens once it is unpaused`, ...notes] : notes;
};
