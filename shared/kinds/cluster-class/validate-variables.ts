import { CostSum, cardinalityWithin } from '../../kube-api/cel/cost/rule-costs.ts';
import { validateRules } from '../../kube-api/cel/rules.ts';
import { SCHEMA_OF_SCHEMAS } from '../../kube-api/custom/definition-schema.ts';
import { forbiddenField, invalidValue, required } from '../../kube-api/field-error.ts';
import { isObject } from '../../kube-api/json.ts';
import type { FieldError, OpenApiSchema } from '../../kube-api/resource.ts';
import { faultOfPattern } from '../../kube-api/schema/foreign-scalars.ts';
import { validateSchema } from '../../kube-api/schema/validate.ts';
import { validateForeign } from '../../kube-api/schema/validate-foreign.ts';
import { Work } from '../../kube-api/work.ts';
import { validateTemplateMeta } from '../rules/names.ts';
import { type RulePlace, rulesOf, validateRuleTexts } from './validate-rules.ts';
import type { ClassVariable, VariableSchema } from './variable-schema.ts';

/** The name of the values that Cluster API provides to every patch. */
const BUILTIN = 'builtin';

const validateName = (name: string, field: string): FieldError[] => [
  ...(name === BUILTIN ? [invalidValue(field, name, `"${BUILTIN}" is a reserved variable name`)] : []),
  ...(name.includes('.') ? [invalidValue(field, name, 'variable name cannot contain "."')] : []),
];

/** A value in the schema itself must match the schema. */
const validateValue = (schema: VariableSchema, value: unknown, at: string, work: Work): FieldError[] => {
  const open = schema as OpenApiSchema;
  // Upstream's validation does not know the location of the value, so its messages begin below it.
  const errors = validateForeign(open, value, { work }).map((error) => ({
    ...error,
    field: error.field === '' ? at : `${at}.${error.field}`,
  }));
  return errors.length > 0 ? errors : validateRules(open, value, undefined, at, { work });
};

const validateExamples = (schema: VariableSchema, field: string, work: Work): FieldError[] => [
  ...(schema.example === undefined ? [] : validateValue(schema, schema.example, `${field}.example`, work)),
  ...(schema.enum ?? []).flatMap((value, index) => validateValue(schema, value, `${field}.enum[${index}]`, work)),
];

/** Checks a schema and all nested ones. Upstream checks nothing else while a default is invalid. */
const validateDefaults = (schema: VariableSchema, field: string, work: Work): FieldError[] => [
  ...(schema.default === undefined ? [] : validateValue(schema, schema.default, `${field}.default`, work)),
  ...parts(schema, field).flatMap((part) => validateDefaults(part.schema as VariableSchema, part.field, work)),
];

/** The parts of a schema, with the names that errors use. */
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

/** The position of a schema: values in a list cannot be compared with previous ones. */
interface Place extends RulePlace {
  of: string;
  work: Work;
}

/** Errors of a schema and all nested ones: expressions are checked if the schemas are valid, then values. */
interface Found {
  schema: FieldError[];
  expressions: FieldError[];
}

const validateVariableSchema = (schema: unknown, place: Place): Found => {
  const { field, of } = place;
  if (!isObject(schema)) return { schema: [invalidValue(field, schema, 'must be a schema')], expressions: [] };
  const known = schema as VariableSchema;
  const cardinality = cardinalityWithin(known, place.cardinality);
  const within = parts(known, field).map((part) => {
    const list = part.of === 'specified array items' ? part.field : undefined;
    return validateVariableSchema(part.schema, {
      ...place,
      ...part,
      cardinality,
      uncorrelated: place.uncorrelated ?? list,
    });
  });
  const errors = [
    ...(isTyped(known) ? validateOwn(known, field) : [required(`${field}.type`, `must not be empty for ${of}`)]),
    ...within.flatMap((it) => it.schema),
  ];
  const inner = within.flatMap((it) => it.expressions);
  if (errors.length > 0) return { schema: errors, expressions: inner };
  const faults = [...inner, ...rulesOf(known, place)];
  return { schema: [], expressions: faults.length > 0 ? faults : validateExamples(known, field, place.work) };
};

/** Checks a schema without its nested schemas. */
const validateOwn = (schema: VariableSchema, field: string): FieldError[] => {
  const { properties, additionalProperties } = schema;
  const hasBoth = isObject(properties) && Object.keys(properties).length > 0 && additionalProperties !== undefined;
  return [
    ...(hasBoth ? [forbiddenField(field, 'additionalProperties and properties are mutually exclusive')] : []),
    ...validateTemplateMeta(schema['x-metadata'], `${field}.x-metadata`),
    ...validatePattern(schema, field),
    ...validateRuleTexts(schema, field),
  ];
};

const validateSchemaOf = (schema: VariableSchema, field: string, work: Work): FieldError[] => {
  // So far, nested schemas may be any JSON. Upstream refuses other types when it decodes the body.
  const misshapen = validateSchema(SCHEMA_OF_SCHEMAS, schema, field);
  if (misshapen.length > 0) return misshapen;
  const sum = new CostSum();
  const place = { of: 'specified object fields', field, uncorrelated: undefined, cardinality: 1n, sum, work };
  const { schema: errors, expressions } = validateVariableSchema(schema, place);
  const defaults = errors.length > 0 ? [] : validateDefaults(schema, field, work);
  return defaults.length > 0 ? defaults : [...errors, ...expressions, ...sum.errors(field)];
};

const validateVariable = ({ name, schema, deprecatedV1Beta1Metadata }: ClassVariable, work: Work): FieldError[] => {
  const field = `spec.variables[${name}]`;
  return [
    ...validateName(name, `${field}.name`),
    ...validateTemplateMeta(deprecatedV1Beta1Metadata, `${field}.deprecatedV1Beta1Metadata`),
    ...validateSchemaOf(schema.openAPIV3Schema, `${field}.schema.openAPIV3Schema`, work),
  ];
};

/** Cluster API's rules for variables (internal/topology/variables/clusterclass_variable_validation.go). */
export const validateVariables = (variables: readonly ClassVariable[] = []): FieldError[] => {
  const seen = new Set<string>();
  const work = new Work();
  const repeated = variables.filter(({ name }) => {
    const isKnown = seen.has(name);
    seen.add(name);
    return isKnown;
  });
  return [
    ...repeated.map(({ name }) =>
      invalidValue(
        `spec.variables[${name}].name`,
        name,
        `variable name must be unique. Variable with name "${name}" is defined more than once`,
      ),
    ),
    ...variables.flatMap((variable) => validateVariable(variable, work)),
  ];
};
