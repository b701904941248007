import { DISTRIBUTIONS } from '../../../shared/distributions/registry.ts';
import { type Cluster, kinds, type Machine, type MachinePool } from '../../../shared/kinds/index.ts';
import type { InfrastructureMachine } from '../../../shared/kinds/infrastructure.ts';
import { type Reference, refersTo } from '../../../shared/kinds/reference.ts';
import type { ObjectClient } from '../../../shared/kube-api/client.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { LABEL } from '../../../shared/plan/labels.ts';
import { memoryOf } from '../../../shared/providers/memory.ts';
import { INFRASTRUCTURES } from '../../../shared/providers/registry.ts';
import { isControlledBy } from '../owners.ts';

/** All objects of a namespace through whose references passes find the other objects. */
export interface Referrers {
  readonly clusters: readonly Cluster[];
  readonly machines: readonly Machine[];
  readonly pools: readonly MachinePool[];
}

/** A kind whose finalizer only a pass or a lifecycle removes that has found the object by a reference. */
export interface HeldKind {
  readonly resource: ResourceDefinition;
  readonly finalizer: string;
  /** Whether something refers to the object, so that a pass removes the finalizer, or the object must stay. */
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
 * Once the Cluster is gone, nothing reports an instance without a Machine any more: then the object, which names it, is
 * kept.
 */
const isLastTrace = (object: KubeObject, { clusters }: Referrers): boolean => {
  const providerID = (object as Partial<InfrastructureMachine>).spec?.providerID;
  const cluster = object.metadata.labels?.[LABEL.clusterName];
  return providerID !== undefined && !clusters.some(({ metadata }) => metadata.name === cluster);
};

const OF_INFRASTRUCTURE = INFRASTRUCTURES.flatMap(({ cluster, machine, pool, finalizers }) => [
  ...held(
    cluster,
    finalizers.cluster,
    byClusters(cluster, ({ spec }) => spec.infrastructureRef),
  ),
  // Without records, nothing proves that no resource belongs to an object.
  ...(memoryOf(machine)
    ? held(machine, finalizers.machine, (object, referrers) => {
        const references = referrers.machines.map(({ spec }) => spec.infrastructureRef);
        return isNamed(machine, object, references) || isLastTrace(object, referrers);
      })
    : []),
  ...(pool
    ? held(pool.kind, pool.finalizer, (object, { pools }) => {
        const references = pools.map(({ spec }) => spec.template.spec.infrastructureRef);
        return isNamed(pool.kind, object, references);
      })
    : []),
]);

const OF_CONTROL_PLANES = DISTRIBUTIONS.flatMap(({ controlPlane, finalizer }) => {
  const isReferredTo = byClusters(controlPlane, ({ spec }) => spec.controlPlaneRef);
  return held(
    controlPlane,
    finalizer,
    (object, referrers) =>
      isReferredTo(object, referrers) || referrers.machines.some((machine) => isControlledBy(machine, object)),
  );
});

export const HELD_KINDS: readonly HeldKind[] = [...OF_INFRASTRUCTURE, ...OF_CONTROL_PLANES];

export const readReferrers = async (objects: Pick<ObjectClient, 'list'>, namespace: string): Promise<Referrers> => {
  const [clusters, machines, pools] = await Promise.all([
    objects.list(kinds.cluster, namespace),
    objects.list(kinds.machine, namespace),
    objects.list(kinds.machinePool, namespace),
  ]);
  return { clusters, machines, pools };
};
