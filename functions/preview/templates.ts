import { distributionOf } from '../../shared/distributions/registry.ts';
import { kinds } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { isTemplate } from './kinds.ts';
import type { Change, Reads } from './reads.ts';

const refersTo = (spec: { infrastructureRef: Ref; bootstrap?: { configRef?: Ref } }, template: KubeObject): boolean =>
  [spec.infrastructureRef, spec.bootstrap?.configRef].some(
    (ref) => ref?.kind === template.kind && ref.name === template.metadata.name,
  );

interface Ref {
  kind: string;
  name: string;
}

/** The owners of machines that make new ones from a template. */
const usersOf = async (reads: Reads, template: KubeObject): Promise<string[]> => {
  const { namespace = '' } = template.metadata;
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
  const alone = sets.filter(
    ({ metadata }) => !metadata.ownerReferences?.some(({ kind }) => kind === 'MachineDeployment'),
  );
  return [
    ...controlPlanes.filter((one) => one !== undefined && refersTo(one.spec.machineTemplate.spec, template)),
    ...[...deployments, ...alone].filter(({ spec }) => refersTo(spec.template.spec, template)),
  ].flatMap((one) => (one ? [`${one.kind} ${one.metadata.name}`] : []));
};

/** What a change of a template means to those who use it. */
export const templateNotes = async (reads: Reads, { resource, type, object }: Change): Promise<string[]> => {
  if (!isTemplate(resource.kind)) return [];
  const name = `${object.kind} ${object.metadata.name}`;
  const users = await usersOf(reads, object);
  if (users.length === 0) return [`${name}: nothing makes machines from it`];
  const who = users.join(', ');
  if (type === 'deleted' || object.metadata.deletionTimestamp) {
    return [`${name}: ${who} cannot make machines without it; those that exist stay`];
  }
  return type === 'created'
    ? [`${name}: ${who} makes the machines that it lacks from it`]
    : [`${name}: ${who} makes new machines from it; no machine that exists is changed or replaced`];
};
