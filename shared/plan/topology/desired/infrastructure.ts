import type { AnyObject, Blueprint } from '../objects.ts';
import { objectFrom } from './clone.ts';
import { namedBy } from './names.ts';

/**
 * The infrastructure of the cluster (computeInfrastructureCluster). It has no owner: it is reconciled once the cluster
 * refers to it.
 */
export const desiredInfrastructureCluster = ({
  cluster,
  clusterClass,
  infrastructureCluster,
}: Blueprint): AnyObject => {
  const { name, namespace = '' } = cluster.metadata;
  const template = clusterClass.spec.infrastructure.naming?.template ?? '{{ .cluster.name }}-{{ .random }}';
  const kind = infrastructureCluster.kind.replace(/Template$/, '');
  const generated = namedBy(cluster, kind, { template }, 'infrastructure');
  return objectFrom({
    template: infrastructureCluster,
    name: cluster.spec.infrastructureRef?.name ?? generated,
    namespace,
    clusterName: name,
  });
};
