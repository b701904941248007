import { invalidValue } from '../../kube-api/field-error.ts';
import { checkLabelValue, checkQualifiedName, checkSubdomain } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { TemplateMeta } from '../schema/meta.ts';

/** Names that become label values, so that 63 characters are the most. */
export const validateLabelName = (name: string): FieldError[] =>
  checkLabelValue(name).map((detail) => invalidValue('metadata.name', name, `must be a valid label value: ${detail}`));

/** Labels and annotations of a template, as of any object. */
export const validateTemplateMeta = (metadata: TemplateMeta | undefined, field: string): FieldError[] => [
  ...Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => [
    ...checkQualifiedName(key).map((detail) => invalidValue(`${field}.labels`, key, detail)),
    ...checkLabelValue(value).map((detail) => invalidValue(`${field}.labels`, value, detail)),
  ]),
  ...Object.keys(metadata?.annotations ?? {}).flatMap((key) =>
    checkQualifiedName(key.toLowerCase()).map((detail) => invalidValue(`${field}.annotations`, key, detail)),
  ),
];

const VARIABLE = /\{\{-?\s*\.([\w.]*)\s*-?\}\}/g;

/** What machine names of sample values look like; enough to see whether real ones would be valid. */
const SAMPLES: Record<string, string> = {
  'cluster.name': 'cluster',
  'kubeadmControlPlane.name': 'kubeadmcontrolplane',
  'machineSet.name': 'machineset',
  'machineDeployment.topologyName': 'mdtopology',
  'machinePool.topologyName': 'mptopology',
  random: '2b4c6',
};

interface SampleName {
  /** Variables that the template may not use. */
  unknown: string[];
  /** What is wrong with the names that it gives. */
  faults: string[];
}

/** Go's template functions are not known here: what is not a variable counts as text. */
const sampleName = (template: string, known: readonly string[]): SampleName => {
  const unknown = [...template.matchAll(VARIABLE)].map((match) => String(match[1])).filter((it) => !known.includes(it));
  const sample = template.replace(VARIABLE, (_, name: string) => SAMPLES[name] ?? '').slice(0, 63);
  return { unknown, faults: unknown.length > 0 ? [] : checkSubdomain(sample) };
};

/**
 * Rules for `machineNaming.template`, which stands at `field`: it has to contain `{{ .random }}`, use the variables of
 * `owner` only, and give valid object names.
 */
export const validateNaming = (
  template: string | undefined,
  owner: 'kubeadmControlPlane' | 'machineSet',
  field: string,
): FieldError[] => {
  if (template === undefined) return [];
  const invalid = (detail: string): FieldError => invalidValue(field, template, `invalid template, ${detail}`);
  const { unknown, faults } = sampleName(template, ['cluster.name', `${owner}.name`, 'random']);
  return [
    ...(template.includes('{{ .random }}') ? [] : [invalid('{{ .random }} is missing')]),
    ...unknown.map((name) => invalid(`.${name} is not a variable of it`)),
    ...faults.map((detail) => invalid(`generated names would not be valid Kubernetes object names: ${detail}`)),
  ];
};

const CLASS_VARIABLES = {
  InfraCluster: [],
  ControlPlane: [],
  MachineDeployment: ['machineDeployment.topologyName'],
  MachinePool: ['machinePool.topologyName'],
} as const;

/** Rules for `naming.template` of what a ClusterClass makes. */
export const validateNameTemplate = (
  template: string | undefined,
  field: string,
  of: keyof typeof CLASS_VARIABLES,
): FieldError[] => {
  if (template === undefined) return [];
  const { unknown, faults } = sampleName(template, ['cluster.name', 'random', ...CLASS_VARIABLES[of]]);
  return [
    ...unknown.map((name) =>
      invalidValue(field, template, `invalid ${of} name template: .${name} is not a variable of it`),
    ),
    ...faults.map((detail) => invalidValue(field, template, detail)),
  ];
};
