import { invalidValue, required } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { ClassPatch, JsonPatch } from './patch-schema.ts';
import type { ClusterClassSpec } from './schema.ts';
import { validatePatchSelector } from './validate-selector.ts';

const tree = (root: string, ...fields: string[]): string[] => [root, ...fields.map((field) => `${root}.${field}`)];

const METADATA = ['metadata.labels', 'metadata.annotations'];
const WORKERS = ['class', 'name', 'replicas', 'topologyName', 'version', ...METADATA];
const REFERENCES = ['bootstrap.configRef.name', 'infrastructureRef.name'];

/** The variables that Cluster API itself provides to patches. */
const BUILTIN_VARIABLES: ReadonlySet<string> = new Set([
  'builtin',
  ...tree('builtin.cluster', 'name', 'namespace', 'uid', ...METADATA),
  ...tree('builtin.cluster.topology', 'classRef.name', 'classRef.namespace', 'class', 'classNamespace', 'version'),
  ...tree('builtin.cluster.network', 'serviceDomain', 'services', 'pods'),
  ...tree('builtin.controlPlane', 'name', 'replicas', 'version', ...METADATA, 'machineTemplate.infrastructureRef.name'),
  ...tree('builtin.machineDeployment', ...WORKERS, ...REFERENCES),
  ...tree('builtin.machinePool', ...WORKERS, ...REFERENCES),
]);

const INDEX = /^[+-]?\d+$/;

/** The source of a value in upstream's text form. */
const sourceText = ({ variable, template }: NonNullable<JsonPatch['valueFrom']>) => ({
  ...(variable ? { variable } : {}),
  ...(template ? { template } : {}),
});

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** A patch in upstream's text form: its fields in Go's order, on one line. */
const patchText = ({ op, path, value, valueFrom }: JsonPatch): string =>
  pretty({
    op,
    path,
    ...(value === undefined ? {} : { value }),
    ...(valueFrom ? { valueFrom: sourceText(valueFrom) } : {}),
  });

const validatePath = (patch: JsonPatch, field: string): FieldError[] => {
  const { op, path } = patch;
  const indices = path.split('/').filter((part) => INDEX.test(part));
  const bad = op === 'add' ? indices.filter((part) => Number(part) !== 0) : indices;
  const detail =
    op === 'add'
      ? 'arrays can only be accessed using "0" (prepend) or "-" (append)'
      : `elements in arrays can not be accessed in a ${op} operation`;
  return [
    ...(path.startsWith('/spec')
      ? []
      : [invalidValue(field, patchText(patch), 'jsonPatch path must start with "/spec"')]),
    ...bad.map(() => invalidValue(field, path, detail)),
  ];
};

const validateVariable = (variable: string, known: readonly string[], field: string): FieldError[] => {
  if (variable.startsWith('builtin.')) {
    return BUILTIN_VARIABLES.has(variable) ? [] : [invalidValue(field, variable, 'not a defined builtin variable')];
  }
  const name = variable.split(/[.[]/).find((part) => part !== '');
  if (name !== undefined && known.includes(name)) return [];
  return [invalidValue(field, variable, `variable with name ${variable} cannot be found`)];
};

const validateValueFrom = (
  valueFrom: NonNullable<JsonPatch['valueFrom']>,
  known: readonly string[],
  field: string,
): FieldError[] => {
  const { template, variable } = valueFrom;
  const shown = pretty(sourceText(valueFrom));
  return [
    ...(template || variable ? [] : [invalidValue(field, shown, 'valueFrom must set either template or variable')]),
    ...(template && variable ? [invalidValue(field, shown, 'valueFrom can not set both template and variable')] : []),
    ...(variable ? validateVariable(variable, known, `${field}.variable`) : []),
  ];
};

const validateValue = (patch: JsonPatch, known: readonly string[], field: string): FieldError[] => {
  if (patch.op === 'remove') return [];
  const { value, valueFrom } = patch;
  return [
    ...(value === undefined && !valueFrom
      ? [invalidValue(field, patchText(patch), 'jsonPatch must define one of value or valueFrom')]
      : []),
    ...(value !== undefined && valueFrom
      ? [invalidValue(field, patchText(patch), 'jsonPatch can not define both value and valueFrom')]
      : []),
    ...(valueFrom ? validateValueFrom(valueFrom, known, `${field}.valueFrom`) : []),
  ];
};

const validateDefinitions = (patch: ClassPatch, spec: ClusterClassSpec, field: string): FieldError[] => {
  const known = (spec.variables ?? []).map(({ name }) => name);
  return (patch.definitions ?? []).flatMap(({ jsonPatches, selector }, index) => {
    const at = `${field}.definitions[${index}]`;
    return [
      ...jsonPatches.flatMap((jsonPatch, position) => {
        const here = `${at}.jsonPatches[${position}]`;
        return [...validatePath(jsonPatch, `${here}.path`), ...validateValue(jsonPatch, known, here)];
      }),
      ...validatePatchSelector(selector, spec, `${at}.selector`),
    ];
  });
};

const validateSource = ({ definitions, external }: ClassPatch, field: string): FieldError[] => [
  ...(definitions || external ? [] : [required(field, 'one of definitions or external must be defined')]),
  ...(definitions && external
    ? [invalidValue(field, undefined, 'only one of definitions or external can be defined')]
    : []),
];

/**
 * Cluster API's rules for patches (core/webhooks/admission/patch_validation.go), except for the syntax of Go templates.
 */
export const validatePatches = (spec: ClusterClassSpec): FieldError[] =>
  (spec.patches ?? []).flatMap((patch, index, all) => {
    const field = `spec.patches[${index}]`;
    const isRepeated = all.findIndex(({ name }) => name === patch.name) < index;
    const repeated = `patch names must be unique. Patch with name "${patch.name}" is defined more than once`;
    return [
      ...(patch.name === 'inline'
        ? [required(`${field}.name`, '"inline" can not be used as the name of a patch')]
        : []),
      ...(isRepeated ? [invalidValue(`${field}.name`, patch.name, repeated)] : []),
      ...validateSource(patch, field),
      ...validateDefinitions(patch, spec, field),
    ];
  });
