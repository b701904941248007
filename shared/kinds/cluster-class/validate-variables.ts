import { validateRules } from '../../kube-api/cel/rules.ts';
import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import { isObject } from '../../kube-api/json.ts';
import type { FieldError, OpenApiSchema } from '../../kube-api/resource.ts';
import { faultOfPattern, foreignScalars } from '../../kube-api/schema/foreign-scalars.ts';
import { validateSchema } from '../../kube-api/schema/validate.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { rulesOf, validateRuleTexts } from './validate-rules.ts';
import type { ClassVariable, VariableSchema } from './variable-schema.ts';

/** Name of the values that Cluster API gives to every patch. */
const BUILTIN = 'builtin';

const validateName = (name: string, field: string): FieldError[] => [
  ...(name === BUILTIN ? [invalidValue(field, name, `"${BUILTIN}" is a reserved variable name`)] : []),
  ...(name.includes('.') ? [invalidValue(field, name, 'variable name cannot contain "."')] : []),
];

/** Values that the schema itself gives have to be values of it. */
const validateValues = (schema: VariableSchema, field: string): FieldError[] => {
  const open = schema as OpenApiSchema;
  const given = [
    ...(schema.default === undefined ? [] : [{ value: schema.default, at: `${field}.default` }]),
    ...(schema.example === undefined ? [] : [{ value: schema.example, at: `${field}.example` }]),
    ...(schema.enum ?? []).map((value, index) => ({ value, at: `${field}.enum[${index}]` })),
  ];
  return given.flatMap(({ value, at }) => {
    // Upstream's validation knows nothing of the place of the value: its messages begin below it.
    const errors = validateSchema(open, value, '', foreignScalars).map((error) => ({
      ...error,
      field: error.field === '' ? at : `${at}.${error.field}`,
    }));
    return errors.length > 0 ? errors : validateRules(open, value, undefined, at);
  });
};

/** What a schema consists of, in the words that an error needs. */
const parts = (schema: VariableSchema, field: string): { schema: unknown; field: string; of: string }[] => [
  ...Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, member]) => ({
    schema: member,
    field: `${field}.properties[${name}]`,
    of: 'specified object fields',
  })),
  ...(isObject(schema.additionalProperties)
    ? [{ schema: schema.additionalProperties, field: `${field}.additionalProperties`, of: 'specified object fields' }]
    : []),
  ...(schema.items === undefined
    ? []
    : [{ schema: schema.items, field: `${field}.items`, of: 'specified array items' }]),
];

const isTyped = (schema: VariableSchema): boolean =>
  schema.type !== undefined ||
  schema['x-kubernetes-int-or-string'] === true ||
  schema['x-kubernetes-preserve-unknown-fields'] === true;

const validatePattern = ({ pattern }: VariableSchema, field: string): FieldError[] => {
  const fault = pattern === undefined ? undefined : faultOfPattern(pattern);
  if (fault === undefined) return [];
  return [invalidValue(`${field}.pattern`, pattern, `must be a valid regular expression, but isn't: ${fault}`)];
};

/** Where a schema stands: within a list nothing can be compared with the value before. */
interface Place {
  of: string;
  uncorrelated?: string | undefined;
}

/** Rules for a schema and all within it. Values and expressions are looked at once the schemas are right. */
const validateVariableSchema = (schema: unknown, field: string, { of, uncorrelated }: Place): FieldError[] => {
  if (!isObject(schema)) return [invalidValue(field, schema, 'must be a schema')];
  const known = schema as VariableSchema;
  const { properties, additionalProperties } = known;
  const hasBoth = isObject(properties) && Object.keys(properties).length > 0 && additionalProperties !== undefined;
  const inner = parts(known, field).flatMap((part) => {
    const list = part.of === 'specified array items' ? part.field : undefined;
    return validateVariableSchema(part.schema, part.field, { of: part.of, uncorrelated: uncorrelated ?? list });
  });
  if (!isTyped(known)) return [required(`${field}.type`, `must not be empty for ${of}`), ...inner];
  return [
    ...(hasBoth ? [forbiddenField(field, 'additionalProperties and properties are mutually exclusive')] : []),
    ...validateTemplateMeta(known['x-metadata'], `${field}.x-metadata`),
    ...(inner.length > 0 ? inner : validateContent(known, field, uncorrelated)),
  ];
};

/** Of a schema whose parts are right. */
const validateContent = (schema: VariableSchema, field: string, uncorrelated: string | undefined): FieldError[] => {
  const pattern = validatePattern(schema, field);
  if (pattern.length > 0) return pattern;
  const texts = validateRuleTexts(schema, field);
  const errors = texts.length > 0 ? texts : rulesOf(schema, field, uncorrelated);
  return errors.length > 0 ? errors : validateValues(schema, field);
};

const validateVariable = ({ name, schema, deprecatedV1Beta1Metadata }: ClassVariable): FieldError[] => {
  const field = `spec.variables[${name}]`;
  return [
    ...validateName(name, `${field}.name`),
    ...validateTemplateMeta(deprecatedV1Beta1Metadata, `${field}.deprecatedV1Beta1Metadata`),
    ...validateVariableSchema(schema.openAPIV3Schema, `${field}.schema.openAPIV3Schema`, {
      of: 'specified object fields',
    }),
  ];
};

/** Cluster API's rules for variables (internal/topology/variables/clusterclass_variable_validation.go). */
export const validateVariables = (variables: readonly ClassVariable[] = []): FieldError[] => {
  const repeated = variables.filter(({ name }, index) => variables.findIndex((it) => it.name === name) < index);
  return [
    ...repeated.map(({ name }) =>
      invalidValue(
        `spec.variables[${name}].name`,
        name,
        `variable name must be unique. Variable with name "${name}" is defined more than once`,
      ),
    ),
    ...variables.flatMap(validateVariable),
  ];
};
