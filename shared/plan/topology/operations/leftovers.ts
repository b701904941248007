import type { OwnerReference } from '../../../kube-api/object.ts';
import { GROUP } from '../../labels.ts';
import type { DesiredObjects } from '../desired/objects.ts';
import { type AnyObject, TOPOLOGY_LABEL } from '../objects.ts';
import { event, type Facts, placeOf, resourceOf } from './apply.ts';
import { type ApplyObject, type DeleteObject, keyOfObject, type LiveTopology } from './model.ts';

const isOurs = ({ metadata }: AnyObject, { cluster }: LiveTopology): boolean =>
  TOPOLOGY_LABEL.owned in (metadata.labels ?? {}) &&
  metadata.deletionTimestamp === undefined &&
  (metadata.ownerReferences ?? []).some(({ uid }) => uid === cluster.metadata.uid);

/** Whether no other Cluster is an owner. */
export const isOnlyOf = (clusterName: string, owners: readonly OwnerReference[] = []): boolean =>
  owners.every(({ kind, name }) => kind !== 'Cluster' || name === clusterName);

const isHealthCheck = ({ kind, apiVersion }: AnyObject): boolean =>
  kind === 'MachineHealthCheck' && apiVersion.startsWith(`${GROUP.core}/`);

/** Health checks that the topology no longer has. */
export const deletedHealthChecks = (
  { live, kindOf }: Facts,
  { controlPlaneHealthCheck, machineDeployments }: DesiredObjects,
): DeleteObject[] => {
  const desired = [controlPlaneHealthCheck, ...machineDeployments.map(({ healthCheck }) => healthCheck)];
  const wanted = new Set(desired.flatMap((check) => (check ? [check.metadata.name] : [])));
  return [...live.objects.values()]
    .filter((object) => isHealthCheck(object) && isOurs(object, live) && !wanted.has(object.metadata.name))
    .map((object) => ({
      do: 'delete',
      resource: resourceOf(kindOf, object),
      object,
      event: event('TopologyDelete', `Deleted MachineHealthCheck ${placeOf(object)}`, 'object'),
    }));
};

/**
 * Templates that only this cluster owns and that neither a group nor a MachineSet uses: leftovers of rotations. What
 * machines of another cluster are made from stays, and goes with that cluster.
 */
export const unusedTemplates = ({ live, kindOf }: Facts, inUse: ReadonlySet<string>): DeleteObject[] =>
  [...live.objects.values()]
    .filter((object) => object.kind.endsWith('Template') && isOurs(object, live))
    .filter(({ metadata }) => isOnlyOf(live.cluster.metadata.name, metadata.ownerReferences))
    .filter((object) => !inUse.has(keyOfObject(object)) && !live.usedBySets.has(keyOfObject(object)))
    .map((object) => ({ do: 'delete', resource: resourceOf(kindOf, object), object }));

/** The keys of templates to which objects refer, now or after the operations. */
export const referredTo = (objects: readonly unknown[]): string[] =>
  objects.flatMap((value): string[] => {
    if (Array.isArray(value)) return referredTo(value);
    if (typeof value !== 'object' || value === null) return [];
    const { kind, name } = value as { kind?: unknown; name?: unknown };
    const own = typeof kind === 'string' && typeof name === 'string' ? [keyOfObject({ kind, metadata: { name } })] : [];
    return [...own, ...referredTo(Object.values(value))];
  });

export const resultsOf = (operations: readonly ApplyObject[]): AnyObject[] => operations.map(({ result }) => result);
