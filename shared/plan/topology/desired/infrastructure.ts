import type { AnyObject, Blueprint } from '../objects.ts';
import { objectFrom } from './clone.ts';
import { namedBy } from './names.ts';

/**
 * The infrastructure of the cluster (computeInfrastructureCluster). It has no owner: it starts to act once the cluster
 * refers to it.
 */
export const desiredInfrastructureCluster = ({
  cluster,
  clusterClass,
  infrastructureCluster,
}: Blueprint): AnyObject => {
  const { name, namespace = '' } = cluster.metadata;
  const naming = clusterClass.spec.infrastructure.naming?.template;
  const fallback = '{{ .cluster.name }}-{{ .random }}';
  return objectFrom({
    template: infrastructureCluster,
    name: cluster.spec.infrastructureRef?.name ?? namedBy(cluster, naming, fallback, {}, 'infrastructure'),
    namespace,
    clusterName: name,
  });
};
