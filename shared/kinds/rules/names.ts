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
  random: '2b4c6',
};

/**
 * Rules for `machineNaming.template`, which stands at `field`: it has to contain `{{ .random }}`, use the variables of `owner` only, and give
 * valid object names. Go's template functions are not known here.
 */
export const validateNaming = (
  template: string | undefined,
  owner: 'kubeadmControlPlane' | 'machineSet',
  field: string,
): FieldError[] => {
  if (template === undefined) return [];
  const invalid = (detail: string): FieldError => invalidValue(field, template, `invalid template, ${detail}`);
  const missing = template.includes('{{ .random }}') ? [] : [invalid('{{ .random }} is missing')];
  const known = ['cluster.name', `${owner}.name`, 'random'];
  const unknown = [...template.matchAll(VARIABLE)].map((match) => String(match[1])).filter((it) => !known.includes(it));
  if (unknown.length > 0) return [...missing, ...unknown.map((name) => invalid(`.${name} is not a variable of it`))];
  const sample = template.replace(VARIABLE, (_, name: string) => SAMPLES[name] ?? '').slice(0, 63);
  const names = checkSubdomain(sample).map((detail) =>
    invalid(`generated names would not be valid Kubernetes object names: ${detail}`),
  );
  return [...missing, ...names];
};
