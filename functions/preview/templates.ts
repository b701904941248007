import { distributionOf } from '../../shared/distributions/registry.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { isOwnedByKind, type Reference, refersTo } from '../../shared/kinds/reference.ts';
import { isTemplate } from './kinds.ts';
import type { Change, Reads } from './reads.ts';

interface Uses {
  infrastructureRef: Reference;
  bootstrap?: { configRef?: Reference | undefined };
}

const uses = (spec: Uses, { resource, object }: Change): boolean =>
  [spec.infrastructureRef, spec.bootstrap?.configRef].some(
    (ref) => refersTo(resource, ref) && ref?.name === object.metadata.name,
  );

/** The owners of machines that create new machines from a template. */
const usersOf = async (reads: Reads, template: Change): Promise<string[]> => {
  const { namespace = '' } = template.object.metadata;
  const [deployments, sets, clusters] = await Promise.all([
    reads.list(kinds.machineDeployment, namespace),
    reads.list(kinds.machineSet, namespace),
    reads.list(kinds.cluster, namespace),
  ]);
  const controlPlanes = await Promise.all(
    clusters.map(({ spec: { controlPlaneRef: ref } }) => {
      const distribution = distributionOf('controlPlane', ref);
      return distribution && ref ? reads.get(distribution.controlPlane, { namespace, name: ref.name }) : undefined;
    }),
  );
  const alone = sets.filter(({ metadata }) => !metadata.ownerReferences?.some(isOwnedByKind(kinds.machineDeployment)));
  return [
    ...controlPlanes.filter((one) => one !== undefined && uses(one.spec.machineTemplate.spec, template)),
    ...[...deployments, ...alone].filter(({ spec }) => uses(spec.template.spec, template)),
  ].flatMap((one) => (one ? [`${one.kind} ${one.metadata.name}`] : []));
};

/** The effects of a change to a template on its users. */
export const templateNotes = async (reads: Reads, change: Change): Promise<string[]> => {
  const { resource, type, object } = change;
  if (!isTemplate(resource.kind)) return [];
  const name = `${object.kind} ${object.metadata.name}`;
  const users = await usersOf(reads, change);
  if (users.length === 0) return [`${name}: no owner creates machines from it`];
  const who = users.join(', ');
  if (type === 'deleted' || object.metadata.deletionTimestamp) {
    return [`${name}: ${who} cannot create machines without it; existing ones stay`];
  }
  return type === 'created'
    ? [`${name}: ${who} creates its missing machines from it`]
    : [`${name}: ${who} creates new machines from it; no existing machine is changed or replaced`];
};
