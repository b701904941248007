import { DISTRIBUTIONS } from '../../shared/distributions/registry.ts';
import { KINDS, kinds } from '../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { INFRASTRUCTURES } from '../../shared/providers/registry.ts';

/** Kinds whose changes the planners see; there is nothing to report about others. */
const PLANNED: readonly string[] = [
  kinds.cluster,
  ...INFRASTRUCTURES.map(({ cluster }) => cluster),
  ...DISTRIBUTIONS.map(({ controlPlane }) => controlPlane),
  kinds.machineDeployment,
  kinds.machineSet,
  kinds.machine,
  kinds.machinePool,
  ...INFRASTRUCTURES.flatMap(({ pool }) => pool?.kind ?? []),
  ...DISTRIBUTIONS.map(({ config }) => config),
].map(({ kind }) => kind);

const TEMPLATES: readonly string[] = [
  ...INFRASTRUCTURES.map(({ machineTemplate }) => machineTemplate.kind),
  ...DISTRIBUTIONS.map(({ configTemplate }) => configTemplate.kind),
];

/** Whether machines are cloned from objects of this kind. */
export const isTemplate = (kind: string): boolean => TEMPLATES.includes(kind);

/** A class, and kinds from which only managed topologies are made. */
const OF_CLASSES: readonly string[] = KINDS.map(({ kind }) => kind).filter(
  (kind) => kind === kinds.clusterClass.kind || (kind.endsWith('Template') && !TEMPLATES.includes(kind)),
);

export const isOfClasses = (kind: string): boolean => OF_CLASSES.includes(kind);

/** Whether a preview says something about changes of this kind. Rancher's Cluster has the name of one of them. */
export const isPlanned = ({ kind, group }: Pick<ResourceDefinition, 'kind' | 'group'>): boolean =>
  group !== kinds.rancherCluster.group && (PLANNED.includes(kind) || isTemplate(kind) || isOfClasses(kind));
