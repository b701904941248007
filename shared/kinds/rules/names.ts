import { invalidValue } from '../../kube-api/field-error.ts';
import { checkLabelValue, checkQualifiedName, checkSubdomain } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { TemplateMeta } from '../schema/meta.ts';
import { NameTemplateError, type NameVariables, nameTemplate } from './name-template.ts';

/** 32-bit FNV-1a. */
const fnv1a = (value: string): number =>
  Buffer.from(value).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);

/** A name as a label value: unchanged if possible, and otherwise `hash_<base64url>_z`, as in Cluster API. */
export const labelValueOf = (name: string): string => {
  if (checkLabelValue(name).length === 0) return name;
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(fnv1a(name));
  return `hash_${sum.toString('base64url')}_z`;
};

/** Rules for names that become label values, so that they have at most 63 characters. */
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

/** The names with which upstream's admission tests templates. */
const SAMPLES = {
  cluster: { cluster: { name: 'cluster' } },
  kubeadmControlPlane: { kubeadmControlPlane: { name: 'kubeadmcontrolplane' } },
  machineSet: { machineSet: { name: 'machineset' } },
  MachineDeployment: { machineDeployment: { topologyName: 'mdtopology' } },
  MachinePool: { machinePool: { topologyName: 'mptopology' } },
  ControlPlane: {},
  InfraCluster: {},
} as const;

const SAMPLE_RANDOM = '2b4c6';

interface SampleName {
  /** Why the template gives no name. */
  error?: string;
  /** The errors in the resulting name. */
  faults: string[];
}

const sampleName = (template: string, variables: NameVariables): SampleName => {
  try {
    const name = nameTemplate(template)({ ...SAMPLES.cluster, ...variables }, SAMPLE_RANDOM);
    return { faults: checkSubdomain(name) };
  } catch (error) {
    if (error instanceof NameTemplateError) return { error: error.message, faults: [] };
    throw error;
  }
};

/**
 * Rules for `machineNaming.template`, at `field`: it must contain `{{ .random }}`, use only the variables of `owner`,
 * and produce valid object names.
 */
export const validateNaming = (
  template: string | undefined,
  owner: 'kubeadmControlPlane' | 'machineSet',
  field: string,
): FieldError[] => {
  if (template === undefined) return [];
  const invalid = (detail: string): FieldError => invalidValue(field, template, `invalid template${detail}`);
  const { error, faults } = sampleName(template, SAMPLES[owner]);
  return [
    ...(template.includes('{{ .random }}') ? [] : [invalid(', {{ .random }} is missing')]),
    ...(error === undefined ? [] : [invalid(`: ${error}`)]),
    ...faults.map((detail) => invalid(`, generated names would not be valid Kubernetes object names: ${detail}`)),
  ];
};

/**
 * Rules for `naming.template` of the objects that a ClusterClass creates (validateNamingStrategies in
 * webhooks/admission/clusterclass.go).
 */
export const validateNameTemplate = (
  template: string | undefined,
  field: string,
  of: 'InfraCluster' | 'ControlPlane' | 'MachineDeployment' | 'MachinePool',
): FieldError[] => {
  if (template === undefined) return [];
  const { error, faults } = sampleName(template, SAMPLES[of]);
  return [
    ...(error === undefined ? [] : [invalidValue(field, template, `invalid ${of} name template: ${error}`)]),
    ...faults.map((detail) => invalidValue(field, template, detail)),
  ];
};
