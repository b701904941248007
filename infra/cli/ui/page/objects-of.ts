import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ClusterObjects } from '../../describe/objects.ts';

/** All objects of a cluster, each once, in the order of the tree; without its events. */
const objectsOf = (objects: ClusterObjects): KubeObject[] => {
  const { cluster, infrastructure, controlPlane, deployments, sets, pools, machines, instances } = objects;
  return [
    cluster,
    ...(infrastructure ? [infrastructure] : []),
    ...(controlPlane ? [controlPlane] : []),
    ...deployments,
    ...sets,
    ...pools,
    ...machines,
    ...instances.values(),
  ];
};

/** The object with this kind and name. */
export const findObject = (objects: ClusterObjects, kind: string, name: string): KubeObject | undefined =>
  objectsOf(objects).find((object) => object.kind === kind && object.metadata.name === name);
