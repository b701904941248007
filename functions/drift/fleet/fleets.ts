import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { InfrastructureCluster, InfrastructureMachine } from '../../../shared/kinds/infrastructure.ts';
import { type Reference, refersTo } from '../../../shared/kinds/reference.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ReadBudget } from '../../../shared/kube-api/storage/read-budget.ts';
import type { Infrastructure, PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import { INFRASTRUCTURES } from '../../../shared/providers/registry.ts';
import { isOfAnotherMachine, otherClusterOf } from '../../cluster/owners.ts';
import type { Fleet, PlacedMachine, ProvidedFleet } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';

/** The clusters and machines of a provider. */
export interface FleetOfProvider {
  provider: Infrastructure;
  fleet: ProvidedFleet;
}

const keyOf = (namespace: string | undefined, name: string | undefined): string => `${namespace}/${name}`;

/** Finds the object that a reference names among `objects`, which are all of one kind. */
const finder = <T extends KubeObject>(kind: ResourceDefinition<T>, objects: readonly T[]) => {
  const byKey = new Map(objects.map((object) => [keyOf(object.metadata.namespace, object.metadata.name), object]));
  return (namespace: string | undefined, reference: Reference | undefined): T | undefined =>
    refersTo(kind, reference) ? byKey.get(keyOf(namespace, reference?.name)) : undefined;
};

interface Listed {
  clusters: readonly Cluster[];
  machines: readonly Machine[];
  infrastructureClusters: readonly InfrastructureCluster[];
  infrastructureMachines: readonly InfrastructureMachine[];
}

/** The clusters and machines that refer to objects of the provider, except objects that another Machine controls. */
const placeIn = (provider: Infrastructure, listed: Listed): Fleet => {
  const findCluster = finder(provider.cluster, listed.infrastructureClusters);
  const findMachine = finder(provider.machine, listed.infrastructureMachines);
  const clusters = listed.clusters.flatMap((cluster): PlacedCluster[] => {
    const infrastructure = findCluster(cluster.metadata.namespace, cluster.spec.infrastructureRef);
    return infrastructure && !otherClusterOf(infrastructure, cluster) ? [{ cluster, infrastructure }] : [];
  });
  const byName = new Map(
    clusters.map((one) => [keyOf(one.cluster.metadata.namespace, one.cluster.metadata.name), one]),
  );
  const machines = listed.machines.flatMap((machine): PlacedMachine[] => {
    const { namespace } = machine.metadata;
    const at = byName.get(keyOf(namespace, machine.spec.clusterName));
    const infrastructure = findMachine(namespace, machine.spec.infrastructureRef);
    if (!at || !infrastructure || isOfAnotherMachine(infrastructure, machine)) return [];
    return [{ machine, infrastructure, cluster: at.cluster, infrastructureCluster: at.infrastructure }];
  });
  return { clusters, machines };
};

/** Surveys a kind; the results of a namespace are released once the budget leaves it out. */
const surveyWithin = async <T extends KubeObject>(
  objects: DriftDependencies['objects'],
  resource: ResourceDefinition<T>,
  namespaces: readonly string[],
  budget: ReadBudget,
): Promise<() => T[]> => {
  const found = await objects.survey(resource, namespaces, budget);
  const kept = Map.groupBy(found, ({ metadata }) => metadata.namespace ?? '');
  for (const [namespace, list] of kept) {
    if (budget.isLeftOut(namespace)) list.length = 0;
    else budget.hold(namespace, list);
  }
  return () => [...kept.values()].flat();
};

/**
 * The clusters and machines of these namespaces, by their infrastructure provider; namespaces that the budget leaves
 * out are missing. One list of each kind, possibly slightly stale: code that changes an object because of these lists
 * must read it again.
 */
export const readFleets = async (
  { objects, shard }: Pick<DriftDependencies, 'objects' | 'shard'>,
  all: readonly string[],
  budget: ReadBudget,
): Promise<FleetOfProvider[]> => {
  const survey = <T extends KubeObject>(resource: ResourceDefinition<T>) =>
    surveyWithin(objects, resource, all, budget);
  // Clusters are read first, so that providers without clusters are not called.
  const clusters = await survey(kinds.cluster);
  const surveyOf = async (provider: Infrastructure) => {
    const isUsed = clusters().some(({ spec }) => refersTo(provider.cluster, spec.infrastructureRef));
    const [infrastructureMachines, infrastructureClusters] = await Promise.all([
      isUsed ? survey(provider.machine) : () => [],
      isUsed ? survey(provider.cluster) : () => [],
    ]);
    return { provider, infrastructureMachines, infrastructureClusters };
  };
  const [machines, provided] = await Promise.all([survey(kinds.machine), Promise.all(INFRASTRUCTURES.map(surveyOf))]);
  // Until here, nothing was concluded about any namespace; from here on, the results are used.
  budget.settle();
  const namespaces = all.filter((name) => !budget.isLeftOut(name));
  const machineUids = new Set(machines().map(({ metadata }) => metadata.uid ?? ''));
  return provided.map(({ provider, infrastructureMachines, infrastructureClusters }) => ({
    provider,
    fleet: {
      ...placeIn(provider, {
        clusters: clusters(),
        machines: machines(),
        infrastructureMachines: infrastructureMachines(),
        infrastructureClusters: infrastructureClusters(),
      }),
      ...{ machineUids, namespaces, budget, isPart: shard.of > 1 },
    },
  }));
};
