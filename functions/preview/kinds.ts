import { DISTRIBUTIONS } from '../../shared/distributions/registry.ts';
import { KINDS, kinds } from '../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { INFRASTRUCTURES } from '../../shared/providers/registry.ts';

type GroupKind = Pick<ResourceDefinition, 'kind' | 'group'>;

/** Kinds whose changes affect the planners; there is nothing to report about others. */
const PLANNED: readonly GroupKind[] = [
  kinds.cluster,
  ...INFRASTRUCTURES.map(({ cluster }) => cluster),
  ...DISTRIBUTIONS.map(({ controlPlane }) => controlPlane),
  kinds.machineDeployment,
  kinds.machineSet,
  kinds.machine,
  kinds.machinePool,
  ...INFRASTRUCTURES.flatMap(({ pool }) => pool?.kind ?? []),
  ...DISTRIBUTIONS.map(({ config }) => config),
];

const TEMPLATES: readonly GroupKind[] = [
  ...INFRASTRUCTURES.map(({ machineTemplate }) => machineTemplate),
  ...DISTRIBUTIONS.map(({ configTemplate }) => configTemplate),
];

/** Classes, and the kinds from which only managed topologies are created. */
const OF_CLASSES: readonly GroupKind[] = KINDS.filter(
  ({ kind }) =>
    kind === kinds.clusterClass.kind || (kind.endsWith('Template') && !TEMPLATES.some((one) => one.kind === kind)),
);

const hasKind = (all: readonly GroupKind[], kind: string): boolean => all.some((one) => one.kind === kind);

/** Whether machines are cloned from objects of this kind. */
export const isTemplate = (kind: string): boolean => hasKind(TEMPLATES, kind);

export const isOfClasses = (kind: string): boolean => hasKind(OF_CLASSES, kind);

/**
 * Whether a preview can predict the effects of changes to this kind. The group matters, because other groups may have
 * kinds of the same name.
 */
export const isPlanned = ({ kind, group }: GroupKind): boolean =>
  [...PLANNED, ...TEMPLATES, ...OF_CLASSES].some((one) => one.kind === kind && one.group === group);
