import { type ClusterResourceSet, kinds } from '../../../shared/kinds/index.ts';
import { selectsCluster } from '../../../shared/plan/addons/selection.ts';
import type { Source } from '../../../shared/plan/addons/source.ts';
import { setStatus } from '../../../shared/plan/addons/status.ts';
import type { AddonsDependencies } from './dependencies.ts';
import { readSources } from './sources.ts';

/** Writes the status of a set, which summarizes the bindings of all clusters that it selects. */
export const reportSet = async (
  { objects, clock }: AddonsDependencies,
  set: ClusterResourceSet,
  known?: readonly Source[],
): Promise<void> => {
  const { namespace = '', name } = set.metadata;
  const [sources, clusters, bindings] = await Promise.all([
    known ?? readSources(objects, set),
    objects.list(kinds.cluster, namespace),
    objects.list(kinds.clusterResourceSetBinding, namespace),
  ]);
  const facts = {
    sources,
    clusters: clusters.filter((one) => !one.metadata.deletionTimestamp && selectsCluster(set, one)),
    bindings: new Map(bindings.map((binding) => [binding.spec.clusterName, binding])),
  };
  await objects.mutate(kinds.clusterResourceSet, { namespace, name }, (current) =>
    current.metadata.uid === set.metadata.uid
      ? { ...current, status: setStatus(current, facts, clock.now()) }
      : undefined,
  );
};
