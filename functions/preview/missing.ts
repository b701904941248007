import type { Cluster } from '../../shared/kinds/index.ts';
import { type Reference, unserved } from '../../shared/kinds/reference.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { otherClusterOf } from '../cluster/owners.ts';
import type { Reads } from './reads.ts';
import type { World } from './world.ts';

/** An object to which a Cluster refers, and its kind if that is served. */
interface Referenced {
  reference: Reference;
  resource: ResourceDefinition | undefined;
}

/** References of a Cluster to objects that it cannot use. */
const unusedBy = ({ snapshot }: World): Referenced[] => {
  const { cluster, infrastructureCluster, controlPlane, distribution, provider } = snapshot;
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  return [
    ...(infrastructureRef && !infrastructureCluster
      ? [{ reference: infrastructureRef, resource: provider?.cluster }]
      : []),
    // Nothing is known about an existing external control plane, not even its distribution.
    ...(controlPlaneRef && !controlPlane && distribution
      ? [{ reference: controlPlaneRef, resource: distribution.controlPlane }]
      : []),
  ];
};

const HINT = '; windlass plan -f FILE plans all manifests together';

const noteOf = async (
  reads: Reads,
  cluster: Cluster,
  { reference, resource }: Referenced,
  hint: string,
): Promise<string> => {
  const { kind, name = '' } = reference;
  const why = unserved(reference);
  if (why) return `${kind} ${name} does not exist, so nothing is created: ${why}`;
  const key = { namespace: cluster.metadata.namespace ?? '', name };
  const found = resource && (await reads.get<KubeObject>(resource, key));
  const owner = found && otherClusterOf(found, cluster);
  return owner
    ? `${kind} ${name} belongs to Cluster ${owner.name}, and is not used; refer to another object`
    : `${kind} ${name} does not exist yet, so its effects are not shown${hint}`;
};

/**
 * The objects to which a Cluster refers and that do not exist or belong to another cluster, so that a plan cannot
 * continue. `isWhole`: the plan already covers all manifests of the user.
 */
export const missingNotes = async (reads: Reads, world: World, isWhole: boolean): Promise<string[]> => {
  const { cluster } = world.snapshot;
  if (cluster.metadata.deletionTimestamp) return [];
  return Promise.all(unusedBy(world).map((one) => noteOf(reads, cluster, one, isWhole ? '' : HINT)));
};
