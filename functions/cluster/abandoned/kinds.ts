import { DISTRIBUTIONS } from '../../../shared/distributions/registry.ts';
import {
  type Cluster,
  type ClusterResourceSet,
  kinds,
  type Machine,
  type MachinePool,
} from '../../../shared/kinds/index.ts';
import { type Reference, refersTo } from '../../../shared/kinds/reference.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { selectsCluster } from '../../../shared/plan/addons/selection.ts';
import { FINALIZER, LABEL } from '../../../shared/plan/labels.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import { memoryOf } from '../../../shared/providers/memory.ts';
import { INFRASTRUCTURES } from '../../../shared/providers/registry.ts';
import { isControlledBy } from '../owners.ts';

/** All objects in a namespace with references through which passes find other objects. */
export interface Referrers {
  readonly clusters: readonly Cluster[];
  readonly machines: readonly Machine[];
  readonly pools: readonly MachinePool[];
}

/** A kind whose finalizer is removed only by a pass or an execution that found the object through a reference. */
export interface HeldKind {
  readonly resource: ResourceDefinition;
  readonly finalizer: string;
  /** Whether something refers to the object, so that a pass will remove the finalizer, or the object must stay. */
  isNeeded(object: KubeObject, referrers: Referrers): boolean;
}

const held = (
  resource: ResourceDefinition,
  finalizer: string | undefined,
  isNeeded: HeldKind['isNeeded'],
): HeldKind[] => (finalizer === undefined ? [] : [{ resource, finalizer, isNeeded }]);

const isNamed = (
  resource: ResourceDefinition,
  { metadata: { name } }: KubeObject,
  references: readonly (Reference | undefined)[],
): boolean => references.some((reference) => refersTo(resource, reference) && reference?.name === name);

const byClusters =
  (resource: ResourceDefinition, referenceOf: (cluster: Cluster) => Reference | undefined): HeldKind['isNeeded'] =>
  (object, { clusters }) =>
    isNamed(resource, object, clusters.map(referenceOf));

/**
 * Whether the object was moved here and is the last one that names the resources of a deleted Cluster. It is kept,
 * because nothing else reports these resources.
 */
const isLastTrace = ({ namesResources }: Infrastructure, object: KubeObject, { clusters }: Referrers): boolean => {
  const cluster = object.metadata.labels?.[LABEL.clusterName];
  return namesResources?.(object) === true && !clusters.some(({ metadata }) => metadata.name === cluster);
};

/** A kind of a provider's objects that passes find through these references. */
const provided = (
  provider: Infrastructure,
  resource: ResourceDefinition,
  finalizer: string | undefined,
  referencesIn: (referrers: Referrers) => readonly (Reference | undefined)[],
): HeldKind[] =>
  held(
    resource,
    finalizer,
    (object, referrers) =>
      isNamed(resource, object, referencesIn(referrers)) || isLastTrace(provider, object, referrers),
  );

const OF_INFRASTRUCTURE = INFRASTRUCTURES.flatMap((provider) => {
  const { cluster, machine, pool, finalizers } = provider;
  return [
    ...provided(provider, cluster, finalizers.cluster, ({ clusters }) =>
      clusters.map(({ spec }) => spec.infrastructureRef),
    ),
    // Without records, nothing proves that no resource belongs to an object.
    ...(memoryOf(machine)
      ? provided(provider, machine, finalizers.machine, ({ machines }) =>
          machines.map(({ spec }) => spec.infrastructureRef),
        )
      : []),
    ...(pool
      ? provided(provider, pool.kind, pool.finalizer, ({ pools }) =>
          pools.map(({ spec }) => spec.template.spec.infrastructureRef),
        )
      : []),
  ];
});

const OF_CONTROL_PLANES = DISTRIBUTIONS.flatMap(({ controlPlane, finalizer }) => {
  const isReferredTo = byClusters(controlPlane, ({ spec }) => spec.controlPlaneRef);
  return held(
    controlPlane,
    finalizer,
    (object, referrers) =>
      isReferredTo(object, referrers) || referrers.machines.some((machine) => isControlledBy(machine, object)),
  );
});

/** Its deletion starts passes over the selected clusters; if it selects none, nothing would release it. */
const OF_ADDONS = held(kinds.clusterResourceSet, FINALIZER.clusterResourceSet, (object, { clusters }) =>
  clusters.some((cluster) => selectsCluster(object as ClusterResourceSet, cluster)),
);

export const HELD_KINDS: readonly HeldKind[] = [...OF_INFRASTRUCTURE, ...OF_CONTROL_PLANES, ...OF_ADDONS];

export const readReferrers = async (objects: Pick<ObjectClient, 'list'>, namespace: string): Promise<Referrers> => {
  const [clusters, machines, pools] = await Promise.all([
    objects.list(kinds.cluster, namespace),
    objects.list(kinds.machine, namespace),
    objects.list(kinds.machinePool, namespace),
  ]);
  return { clusters, machines, pools };
};
