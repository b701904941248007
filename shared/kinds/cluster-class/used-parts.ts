import { isDeepStrictEqual } from 'node:util';
import type { Topology } from '../cluster/schema.ts';
import type { ClusterClassSpec } from './schema.ts';

type Patch = NonNullable<ClusterClassSpec['patches']>[number];
type Definition = NonNullable<Patch['definitions']>[number];

interface UsedClasses {
  machineDeployments: ReadonlySet<string>;
  machinePools: ReadonlySet<string>;
}

/** Names in selectors may have an asterisk at either end. */
const canName = (names: readonly string[] = [], used: ReadonlySet<string>): boolean =>
  names.some((name) => (name.includes('*') ? used.size > 0 : used.has(name)));

/** Whether a part of a patch can select anything that the cluster has. */
const canMatch = ({ selector: { matchResources: match } }: Definition, used: UsedClasses): boolean =>
  match.controlPlane === true ||
  match.infrastructureCluster === true ||
  canName(match.machineDeploymentClass?.names, used.machineDeployments) ||
  canName(match.machinePoolClass?.names, used.machinePools);

const canConcern =
  (used: UsedClasses) =>
  ({ definitions }: Patch): boolean =>
    definitions === undefined || definitions.some((definition) => canMatch(definition, used));

const namesOf = (groups: readonly { class: string }[] | undefined): Set<string> =>
  new Set((groups ?? []).map((group) => group.class));

/** The parts of a class that a topology uses: all except the worker classes that it does not use, and their patches. */
const usedParts = (spec: ClusterClassSpec, { workers }: Topology) => {
  const used = {
    machineDeployments: namesOf(workers?.machineDeployments),
    machinePools: namesOf(workers?.machinePools),
  };
  return {
    ...spec,
    workers: {
      machineDeployments: (spec.workers?.machineDeployments ?? []).filter((it) =>
        used.machineDeployments.has(it.class),
      ),
      machinePools: (spec.workers?.machinePools ?? []).filter((it) => used.machinePools.has(it.class)),
    },
    patches: (spec.patches ?? []).filter(canConcern(used)),
  };
};

/** Whether a change of a class can change anything in a cluster of this topology. */
export const concernsTopology = (topology: Topology, next: ClusterClassSpec, old: ClusterClassSpec): boolean =>
  !isDeepStrictEqual(usedParts(next, topology), usedParts(old, topology));

interface TemplateKey {
  group: string;
  kind: string;
  name: string;
}

/** Whether a class names a template of this kind and name. */
export const namesTemplate = (
  { infrastructure, controlPlane, workers }: Pick<ClusterClassSpec, 'infrastructure' | 'controlPlane' | 'workers'>,
  template: TemplateKey,
): boolean => {
  const refs = [
    infrastructure.templateRef,
    controlPlane.templateRef,
    controlPlane.machineInfrastructure?.templateRef,
    ...[...(workers?.machineDeployments ?? []), ...(workers?.machinePools ?? [])].flatMap((it) => [
      it.bootstrap.templateRef,
      it.infrastructure.templateRef,
    ]),
  ];
  return refs.some(
    (ref) =>
      ref?.kind === template.kind &&
      ref.name === template.name &&
      ref.apiVersion.split('/').slice(0, -1).join('/') === template.group,
  );
};

/** Whether a topology is created from a template of this kind and name. */
export const usesTemplate = (topology: Topology, spec: ClusterClassSpec, template: TemplateKey): boolean =>
  namesTemplate(usedParts(spec, topology), template);
