import type { Cluster } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { isOfCluster } from '../owners.ts';

const placeOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;

/**
 * Throws TopologyError for an object that does not belong to the cluster: a copied Cluster refers to the objects of its
 * original, and a naming template may produce the name of an existing object. `during`: the phase that is not possible
 * then.
 */
export const requireOf = (cluster: Cluster, object: KubeObject, during: string): void => {
  if (isOfCluster(object, cluster)) return;
  throw new TopologyError(
    `error ${during}: ${object.kind} ${placeOf(object)} exists and does not belong to Cluster ${placeOf(cluster)}; choose another name, or, if the Cluster is a copy of another one, create it without spec.infrastructureRef, spec.controlPlaneRef and spec.controlPlaneEndpoint`,
  );
};
