import { isDeepStrictEqual } from 'node:util';
import type { Cluster, Topology } from '../../../shared/kinds/cluster/schema.ts';
import { isClassStatusCurrent } from '../../../shared/kinds/cluster-class/status.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { keyOf } from '../../../shared/kube-api/object.ts';
import { MAX_OWNERS } from '../../../shared/kube-api/owner-limits.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
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
  const owner = ownerReference(clusterClass);
  const unowned = templatesIn(blueprint).filter(
    ({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.length < MAX_OWNERS && !ownerReferences.some(({ uid }) => uid === owner.uid),
  );
  const [stored] = await Promise.all([
    storeVariables(objects, cluster, topology),
    isClassStatusCurrent(clusterClass)
      ? undefined
      : objects.mutate(kinds.clusterClass, keyOf(clusterClass), (it) => it),
    ...unowned.map((template) =>
      objects.mutate(storedKind(resourceOf(blueprint.kindOf, template)), keyOf(template), ({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, ownerReferences: withOwner(metadata.ownerReferences, owner) },
      })),
    ),
  ]);
  return { ...blueprint, cluster: stored };
};
