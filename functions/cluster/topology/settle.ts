import { isDeepStrictEqual } from 'node:util';
import type { Cluster, Topology } from '../../../shared/kinds/cluster/schema.ts';
import { isClassStatusCurrent } from '../../../shared/kinds/cluster-class/status.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { type KubeObject, keyOf } from '../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { withFurtherOwner } from '../../../shared/plan/machines/ownership.ts';
import { storedKind } from '../../../shared/plan/topology/kinds.ts';
import type { AnyObject, Blueprint } from '../../../shared/plan/topology/objects.ts';
import { resourceOf } from '../../../shared/plan/topology/operations/apply.ts';

const templatesIn = (blueprint: Blueprint): AnyObject[] => {
  const { infrastructureCluster, controlPlane, machineInfrastructure, machineDeployments, machinePools } = blueprint;
  const workers = [...machineDeployments.values(), ...machinePools.values()];
  return [
    ...new Set([
      infrastructureCluster,
      controlPlane,
      ...(machineInfrastructure ? [machineInfrastructure] : []),
      ...workers.flatMap(({ bootstrap, infrastructure }) => [bootstrap, infrastructure]),
    ]),
  ];
};

/** The Cluster with these variables. As upstream does, stores the defaults of variables, too. */
const storeVariables = async (objects: ObjectClient, cluster: Cluster, topology: Topology): Promise<Cluster> => {
  const before = cluster.spec.topology;
  if (isDeepStrictEqual(before, topology)) return cluster;
  const written = await objects.mutate(
    kinds.cluster,
    keyOf(cluster),
    (current) =>
      isDeepStrictEqual(current.spec.topology, before) ? { ...current, spec: { ...current.spec, topology } } : current,
    { from: cluster },
  );
  return written ?? cluster;
};

/**
 * Stores what follows from a class and is not stored yet; otherwise it costs nothing. This is: the defaults of
 * variables in the Cluster; the class among the owners of its templates, so that they are moved and deleted with it
 * (core/reconcilers/clusterclass); and the status of a class that an earlier version of Windlass stored. Returns the
 * blueprint with the stored Cluster.
 */
export const settleBlueprint = async (
  objects: ObjectClient,
  cluster: Cluster,
  blueprint: Blueprint,
): Promise<Blueprint> => {
  const { clusterClass, topology } = blueprint;
  const owned = <T extends KubeObject>(template: T): T => withFurtherOwner(template, clusterClass);
  const { uid } = clusterClass.metadata;
  const unowned = templatesIn(blueprint).filter(
    (template) =>
      !template.metadata.ownerReferences?.some((owner) => owner.uid === uid) && owned(template) !== template,
  );
  const [stored] = await Promise.all([
    storeVariables(objects, cluster, topology),
    isClassStatusCurrent(clusterClass)
      ? undefined
      : objects.mutate(kinds.clusterClass, keyOf(clusterClass), (it) => it),
    ...unowned.map((template) =>
      objects.mutate(storedKind(resourceOf(blueprint.kindOf, template)), keyOf(template), owned),
    ),
  ]);
  return { ...blueprint, cluster: stored };
};
