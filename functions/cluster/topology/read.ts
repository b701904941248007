import type { Cluster, Topology } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { faultOfPausedClass } from '../../../shared/kinds/cluster-class/status.ts';
import { areVariablesKnown, definitionsOf } from '../../../shared/kinds/cluster-class/variables/discovered.ts';
import {
  defaultTopologyVariables,
  validateTopologyVariables,
} from '../../../shared/kinds/cluster-class/variables/topology.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { MachinePool } from '../../../shared/kinds/machine-pool/schema.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { invalid } from '../../../shared/kube-api/status-error.ts';
import { type ContractKinds, contractOfVersion } from '../../../shared/outside/kinds.ts';
import { blueprintOf, type TemplateRef, templateKey, templatesOf } from '../../../shared/plan/topology/blueprint.ts';
import { TopologyError } from '../../../shared/plan/topology/error.ts';
import { type KindOf, kindsWith } from '../../../shared/plan/topology/kinds.ts';
import { type AnyObject, type Blueprint, TOPOLOGY_LABEL } from '../../../shared/plan/topology/objects.ts';
import { referredTo } from '../../../shared/plan/topology/operations/leftovers.ts';
import { keyOf, keyOfObject, type LiveTopology } from '../../../shared/plan/topology/operations/model.ts';
import { isDeploymentUpgrading, isPoolUpgrading } from '../../../shared/plan/topology/upgrade/deployment-state.ts';
import type { ObjectReads } from '../snapshot.ts';
import { requireOf } from './require-of.ts';

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? '';

/** The class of a managed cluster. Throws TopologyError if it does not exist, or is paused and has changed since. */
const readClass = async (objects: ObjectReads, cluster: Cluster, topology: Topology): Promise<ClusterClass> => {
  const { name, namespace = namespaceOf(cluster) } = topology.classRef;
  const found = await objects.get(kinds.clusterClass, { namespace, name });
  if (found) {
    const fault = faultOfPausedClass(found);
    if (fault !== undefined) throw new TopologyError(fault);
    return found;
  }
  throw new TopologyError(
    `failed to retrieve ClusterClass ${namespace}/${name}: ClusterClass.cluster.x-k8s.io "${name}" not found`,
  );
};

/** Upstream's text. */
const NOT_RECONCILED =
  'ClusterClass not reconciled. If this condition persists please check ClusterClass status. A ClusterClass is reconciled if.status.observedGeneration == .metadata.generation is true. If this is not the case either ClusterClass reconciliation failed or the ClusterClass is paused';

/**
 * The topology with the variables of its class, which may have been created or changed after the Cluster was admitted.
 * Throws TopologyError for variables that the class does not allow.
 */
const withVariables = (topology: Topology, cluster: Cluster, clusterClass: ClusterClass): Topology => {
  if (!areVariablesKnown(clusterClass)) throw new TopologyError(NOT_RECONCILED, 'ClusterClassNotReconciled');
  const definitions = definitionsOf(clusterClass);
  const { value, errors } = defaultTopologyVariables(topology, definitions);
  const all = [...errors, ...validateTopologyVariables(value, undefined, definitions)];
  if (all.length > 0) throw new TopologyError(invalid(kinds.cluster, cluster.metadata.name, all).message);
  return value;
};

export interface BlueprintReads {
  objects: ObjectReads;
  /** The definitions of external providers' kinds; none if absent. */
  contractKinds?: ContractKinds;
}

/**
 * The definitions of external providers are read only for a class that needs some, because they cost a read of the
 * table.
 */
const kindsFor = async ({ contractKinds }: BlueprintReads, refs: readonly TemplateRef[]): Promise<KindOf> => {
  const own = kindsWith([]);
  return contractKinds && refs.some((ref) => !own(ref)) ? kindsWith(await contractKinds()) : own;
};

/** The contract of the control plane; for Windlass's own kinds, it follows from the names of their versions. */
const contractOf = ({ spec }: ClusterClass, kindOf: KindOf): Blueprint['contract'] => {
  const { templateRef } = spec.controlPlane;
  const resource = kindOf(templateRef);
  if (resource?.custom) return contractOfVersion(resource) ?? 'v1beta2';
  return templateRef.apiVersion.endsWith('/v1beta1') ? 'v1beta1' : 'v1beta2';
};

/**
 * A cluster with its class and templates, in the versions in which the class refers to them. Variables have their
 * defaults. `discover` gets variables from extensions. Throws TopologyError.
 */
export const readBlueprint = async (
  reads: BlueprintReads,
  cluster: Cluster,
  topology: Topology,
  discover: (clusterClass: ClusterClass) => Promise<ClusterClass> = async (it) => it,
): Promise<Blueprint> => {
  const { objects } = reads;
  const clusterClass = await discover(await readClass(objects, cluster, topology));
  const complete = withVariables(topology, cluster, clusterClass);
  const namespace = namespaceOf(clusterClass);
  const refs = templatesOf(clusterClass);
  const kindOf = await kindsFor(reads, refs);
  const found = await Promise.all(
    refs.map(async (ref): Promise<[string, AnyObject][]> => {
      const resource = kindOf(ref);
      const object = resource && (await objects.get(resource, { namespace, name: ref.name }));
      return object ? [[templateKey(ref), object as AnyObject]] : [];
    }),
  );
  return blueprintOf(
    { ...cluster, spec: { ...cluster.spec, topology: complete } },
    clusterClass,
    new Map(found.flat()),
    { kindOf, contract: contractOf(clusterClass, kindOf) },
  );
};

/** The kinds of all objects that a topology creates from these templates, in the versions of the templates. */
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
  return [...new Set(all.flatMap((object) => blueprint.kindOf(object) ?? []))];
};

const isOwned = ({ metadata }: KubeObject): boolean => TOPOLOGY_LABEL.owned in (metadata.labels ?? {});

/**
 * Groups of workers that a topology has created, by their names in the topology. Throws TopologyError for groups
 * without a name.
 */
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

const READING = 'reading current state of the Cluster topology';

/** The objects to which the Cluster refers must belong to the Cluster and to its topology. */
const requireOwned = (cluster: Cluster, object: AnyObject): void => {
  requireOf(cluster, object, READING);
  if (isOwned(object)) return;
  const { kind, metadata } = object;
  const place = `${metadata.namespace}/${metadata.name}`;
  throw new TopologyError(
    `error ${READING}: ${kind} ${place} referenced from Cluster ${cluster.metadata.namespace}/${cluster.metadata.name} is not topology owned`,
  );
};

interface ObjectRef {
  apiGroup: string;
  kind: string;
  name: string;
}

/**
 * An object to which the Cluster refers. If it belongs to another cluster, a query for the objects of this cluster does
 * not find it.
 */
const readReferenced = async (
  objects: ObjectReads,
  { cluster, resources }: { cluster: Cluster; resources: readonly ResourceDefinition[] },
  ref: ObjectRef | undefined,
  known: ReadonlyMap<string, AnyObject>,
): Promise<AnyObject | undefined> => {
  const resource = ref && resources.find(({ group, kind }) => group === ref.apiGroup && kind === ref.kind);
  if (!resource) return undefined;
  const key = { namespace: namespaceOf(cluster), name: ref.name };
  const found = known.get(keyOf(ref.kind, ref.name)) ?? (await objects.get(resource, key));
  return found as AnyObject | undefined;
};

const withUpgrades = <T>(
  groups: ReadonlyMap<string, T>,
  machines: readonly Machine[],
  isUpgrading: (object: T, machines: readonly Machine[]) => boolean,
): Map<string, { object: T; isUpgrading: boolean }> =>
  new Map([...groups].map(([group, object]) => [group, { object, isUpgrading: isUpgrading(object, machines) }]));

/** All existing objects of a managed cluster. Costs one query for each kind. Throws TopologyError. */
export const readLive = async (objects: ObjectReads, blueprint: Blueprint): Promise<LiveTopology> => {
  const { cluster } = blueprint;
  const { name } = cluster.metadata;
  const namespace = namespaceOf(cluster);
  const listed = <T extends KubeObject>(resource: ResourceDefinition<T>) =>
    objects.listOfCluster(resource, namespace, name);
  const resources = madeKinds(blueprint);
  const [made, checks, deployments, pools, sets, machines] = await Promise.all([
    Promise.all(resources.map((resource) => listed(resource))),
    listed(kinds.machineHealthCheck),
    listed(kinds.machineDeployment),
    listed(kinds.machinePool),
    listed(kinds.machineSet),
    listed(kinds.machine),
  ]);
  const all = [...made.flat(), ...checks, ...deployments, ...pools] as AnyObject[];
  const known = new Map(all.map((object) => [keyOfObject(object), object]));
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const referenced = (ref: ObjectRef | undefined) => readReferenced(objects, { cluster, resources }, ref, known);
  const [infrastructure, controlPlane] = await Promise.all([
    referenced(infrastructureRef),
    referenced(controlPlaneRef),
  ]);
  for (const object of [infrastructure, controlPlane]) {
    if (!object) continue;
    requireOwned(cluster, object);
    known.set(keyOfObject(object), object);
  }
  const byName = groupsOf('MachineDeployment', TOPOLOGY_LABEL.deploymentName, deployments);
  const poolsByName = groupsOf<MachinePool>('MachinePool', TOPOLOGY_LABEL.poolName, pools);
  return {
    cluster,
    controlPlane,
    machineDeployments: withUpgrades(byName, machines, isDeploymentUpgrading),
    machinePools: withUpgrades(poolsByName, machines, isPoolUpgrading),
    objects: known,
    usedBySets: new Set(referredTo(sets.map(({ spec }) => spec))),
  };
};
