import { kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { VERSION_ANNOTATION } from '../../../shared/plan/rancher/names.ts';
import { withClaims } from '../../../shared/plan/rancher/status.ts';
import type { ConditionClaim } from '../../../shared/plan/status/conditions.ts';
import type { RancherDependencies } from './dependencies.ts';
import type { Made } from './read.ts';

/** Writes the conditions, unless the Cluster has been replaced by now: then the next pass writes them. */
export const say = async (
  { objects, clock }: RancherDependencies,
  { cluster, controlPlane, made }: Made,
  claims: readonly ConditionClaim[],
): Promise<void> => {
  const version = controlPlane?.status?.version;
  const annotated = version ? { [VERSION_ANNOTATION]: version } : {};
  await objects.mutate(kinds.rancherCluster, keyOf(cluster), (current) => {
    if (current.metadata.uid !== cluster.metadata.uid) return undefined;
    if (current.metadata.generation !== cluster.metadata.generation) return undefined;
    const { metadata, status, ...rest } = withClaims(current, claims, clock.now());
    const annotations = { ...metadata.annotations, ...annotated };
    return {
      ...rest,
      metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
      status: { ...status, ...(made ? { namespace: made.metadata.namespace } : {}) },
    };
  });
};
