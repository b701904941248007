import { isDeepStrictEqual } from 'node:util';
import type { Cluster, Topology } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { isClassStatusCurrent } from '../../../shared/kinds/cluster-class/status.ts';
import { inlineDefinitions } from '../../../shared/kinds/cluster-class/variables/definitions.ts';
import {
  defaultTopologyVariables,
  validateTopologyVariables,
} from '../../../shared/kinds/cluster-class/variables/topology.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { MachinePool } from '../../../shared/kinds/machine-pool/schema.ts';
import { servedKind } from '../../../shared/kinds/served.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import { type KubeObject, keyOf as keyOfCluster } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { invalid } from '../../../shared/kube-api/status-error.ts';
import { ownerReference, withOwner } from '../../../shared/plan/machines/desired.ts';
import { blueprintOf, type TemplateRef, templateKey, templatesOf } from '../../../shared/plan/topology/blueprint.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type AnyObject, type Blueprint, TOPOLOGY_LABEL } from '../../../shared/plan/topology/objects.ts';
import { referredTo } from '../../../shared/plan/topology/operations/leftovers.ts';
import { keyOf, keyOfObject, type LiveTopology } from '../../../shared/plan/topology/operations/model.ts';
import { isDeploymentUpgrading } from '../../../shared/plan/topology/upgrade/deployment-state.ts';
import type { ObjectReads } from '../snapshot.ts';

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? '';

/** The class of a managed cluster. Throws TopologyError where there is none. */
const readClass = async (objects: ObjectClient, cluster: Cluster): Promise<ClusterClass> => {
  const { name = '', namespace = namespaceOf(cluster) } = cluster.spec.topology?.classRef ?? {};
  const key = { namespace, name };
  const found = await objects.get(kinds.clusterClass, key);
  // Every write gives a class its status; one that an earlier version of Windlass stored gets it here.
  if (found && !isClassStatusCurrent(found))
    return (await objects.mutate(kinds.clusterClass, key, (it) => it)) ?? found;
  if (found) return found;
  throw new TopologyError(
    `failed to retrieve ClusterClass ${namespace}/${name}: ClusterClass.cluster.x-k8s.io "${name}" not found`,
  );
};

/**
 * The topology with the variables that it has by its class: the class may have been created, or changed, after the Cluster
 * was admitted. Throws TopologyError for variables that the class does not allow.
 */
const withVariables = (topology: Topology, cluster: Cluster, { spec }: ClusterClass): Topology => {
  const definitions = inlineDefinitions(spec.variables);
  const { value, errors } = defaultTopologyVariables(topology, definitions);
  const all = [...errors, ...validateTopologyVariables(value, undefined, definitions)];
  if (all.length > 0) throw new TopologyError(invalid(kinds.cluster, cluster.metadata.name, all).message);
  return value;
};

/** The Cluster with these variables. Upstream stores the defaults as well. */
const storeVariables = async (objects: ObjectClient, cluster: Cluster, topology: Topology): Promise<Cluster> => {
  const before = cluster.spec.topology;
  if (isDeepStrictEqual(before, topology)) return cluster;
  const written = await objects.mutate(
    kinds.cluster,
    keyOfCluster(cluster),
    (current) =>
      isDeepStrictEqual(current.spec.topology, before) ? { ...current, spec: { ...current.spec, topology } } : current,
    { from: cluster },
  );
  return written ?? cluster;
};

/**
 * A template of a class, with the class among its owners: so it moves and goes with the class (reconcileExternal in
 * core/reconcilers/clusterclass).
 */
const readTemplate = async (
  objects: ObjectClient,
  clusterClass: ClusterClass,
  ref: TemplateRef,
): Promise<AnyObject | undefined> => {
  const resource = servedKind(ref);
  const key = { namespace: namespaceOf(clusterClass), name: ref.name };
  const found = resource && (await objects.get(resource, key));
  if (!found || found.metadata.ownerReferences?.some(({ uid }) => uid === clusterClass.metadata.uid)) {
    return found as AnyObject | undefined;
  }
  const owner = ownerReference(clusterClass);
  const owned = await objects.mutate(resource, key, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, ownerReferences: withOwner(metadata.ownerReferences, owner) },
  }));
  return owned as AnyObject | undefined;
};

const readTemplates = async (objects: ObjectClient, clusterClass: ClusterClass): Promise<Map<string, AnyObject>> => {
  const found = await Promise.all(
    templatesOf(clusterClass).map(async (ref): Promise<[string, AnyObject][]> => {
      const object = await readTemplate(objects, clusterClass, ref);
      return object ? [[templateKey(ref), object]] : [];
    }),
  );
  return new Map(found.flat());
};

/**
 * A cluster with its class and templates, in the versions in which the class refers to them. Variables that have defaults
 * are stored in the Cluster. Throws TopologyError.
 */
export const readBlueprint = async (
  objects: ObjectClient,
  cluster: Cluster,
  topology: Topology,
): Promise<Blueprint> => {
  const clusterClass = await readClass(objects, cluster);
  const complete = withVariables(topology, cluster, clusterClass);
  const templates = await readTemplates(objects, clusterClass);
  return blueprintOf(await storeVariables(objects, cluster, complete), clusterClass, templates);
};

/** The kinds of everything that a topology makes from these templates, in the versions of the templates. */
const madeKinds = (blueprint: Blueprint): ResourceDefinition[] => {
  const { infrastructureCluster, controlPlane, machineInfrastructure, machineDeployments, machinePools } = blueprint;
  const madeFrom = ({ apiVersion, kind }: AnyObject) => ({ apiVersion, kind: kind.replace(/Template$/, '') });
  const pools = [...machinePools.values()].flatMap((it) => [it.bootstrap, it.infrastructure]);
  const templates = [...machineDeployments.values()].flatMap((it) => [it.bootstrap, it.infrastructure]);
  const all = [
    ...[infrastructureCluster, controlPlane, ...pools].map(madeFrom),
    ...(machineInfrastructure ? [machineInfrastructure] : []),
    ...templates,
  ];
  return [...new Set(all.flatMap((object) => servedKind(object) ?? []))];
};

const isOwned = ({ metadata }: KubeObject): boolean => TOPOLOGY_LABEL.owned in (metadata.labels ?? {});

/** Groups of workers that a topology has made, by their names in it. Throws TopologyError for groups that have none. */
const groupsOf = <T extends KubeObject>(kind: string, label: string, groups: readonly T[]): Map<string, T> => {
  const named = new Map<string, T>();
  for (const group of groups.filter(isOwned)) {
    const { namespace = '', name, labels = {} } = group.metadata;
    const topologyName = labels[label];
    if (!topologyName) throw new TopologyError(`failed to find label ${label} in ${kind} ${namespace}/${name}`);
    if (named.has(topologyName)) {
      throw new TopologyError(`duplicate ${kind} ${namespace}/${name} found for label ${label}: ${topologyName}`);
    }
    named.set(topologyName, group);
  }
  return named;
};

/** What the Cluster refers to has to be the topology's own. */
const requireOwned = (cluster: Cluster, object: AnyObject | undefined): void => {
  if (!object || isOwned(object)) return;
  const { kind, metadata } = object;
  const place = `${metadata.namespace}/${metadata.name}`;
  throw new TopologyError(
    `error reading current state of the Cluster topology: ${kind} ${place} referenced from Cluster ${cluster.metadata.namespace}/${cluster.metadata.name} is not topology owned`,
  );
};

/** Everything that is there of a managed cluster: one query a kind. Throws TopologyError. */
export const readLive = async (objects: ObjectReads, blueprint: Blueprint): Promise<LiveTopology> => {
  const { cluster } = blueprint;
  const { name } = cluster.metadata;
  const namespace = namespaceOf(cluster);
  const listed = <T extends KubeObject>(resource: ResourceDefinition<T>) =>
    objects.listOfCluster(resource, namespace, name);
  const [made, checks, deployments, pools, sets, machines] = await Promise.all([
    Promise.all(madeKinds(blueprint).map((resource) => listed(resource))),
    listed(kinds.machineHealthCheck),
    listed(kinds.machineDeployment),
    listed(kinds.machinePool),
    listed(kinds.machineSet),
    listed(kinds.machine),
  ]);
  const all = [...made.flat(), ...checks, ...deployments, ...pools] as AnyObject[];
  const known = new Map(all.map((object) => [keyOfObject(object), object]));
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const at = (ref: { kind: string; name: string } | undefined) => ref && known.get(keyOf(ref.kind, ref.name));
  requireOwned(cluster, at(infrastructureRef));
  requireOwned(cluster, at(controlPlaneRef));
  const byName = groupsOf('MachineDeployment', TOPOLOGY_LABEL.deploymentName, deployments);
  const poolsByName = groupsOf<MachinePool>('MachinePool', TOPOLOGY_LABEL.poolName, pools);
  return {
    cluster,
    controlPlane: at(controlPlaneRef),
    machineDeployments: new Map(
      [...byName].map(([group, object]) => [group, { object, isUpgrading: isDeploymentUpgrading(object, machines) }]),
    ),
    machinePools: new Map([...poolsByName].map(([group, object]) => [group, { object, isUpgrading: false }])),
    objects: known,
    usedBySets: new Set(referredTo(sets.map(({ spec }) => spec))),
  };
};
