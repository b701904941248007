import { Environment } from '@marcbachmann/cel-js';
import { isObject } from '../json.ts';
import type { OpenApiSchema } from '../resource.ts';
import { escapeProperty } from './from-json.ts';
import { FUNCTIONS, NAMESPACES } from './functions/library.ts';

const OPAQUE = [
  'kubernetes.Quantity',
  'kubernetes.URL',
  'kubernetes.Semver',
  'kubernetes.NamedFormat',
  'net.IP',
  'net.CIDR',
];

/** Methods and namespaced functions are declared by their receiver, which the signature has as well. */
const createBase = (): Environment => {
  const base = new Environment({
    enableOptionalTypes: true,
    unlistedVariablesAreDyn: false,
    // The values of a format are of several types; strict.ts refuses other lists of several types.
    homogeneousAggregateLiterals: false,
  });
  for (const type of OPAQUE) base.registerType(type, { fields: {} });
  for (const [name, type] of NAMESPACES) {
    base.registerType(type, { fields: {} });
    base.registerVariable(name, type);
  }
  const nothing = (): null => null;
  for (const { signatures } of FUNCTIONS) {
    for (const signature of signatures) base.registerFunction(signature, nothing);
  }
  return base;
};

let base: Environment | undefined;

/** Made by the first expression: most requests have none. */
const baseEnvironment = (): Environment => {
  base ??= createBase();
  return base;
};

const TEXTS: Readonly<Record<string, string>> = {
  byte: 'bytes',
  duration: 'google.protobuf.Duration',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
};

/** Name by which the types of objects begin in this notation; messages say `object`. */
export const OBJECT_TYPE = 'object';

const declareObject = (schema: OpenApiSchema, environment: Environment, names: { count: number }): string => {
  const fields: Record<string, string> = {};
  for (const [property, member] of Object.entries(schema.properties ?? {})) {
    const type = declare(member, environment, names);
    const name = escapeProperty(property);
    if (type !== undefined && name !== undefined) fields[name] = type;
  }
  names.count += 1;
  const type = `${OBJECT_TYPE}${names.count}`;
  environment.registerType(type, { fields });
  return type;
};

/**
 * Declares the type of a schema and gives its name; undefined where expressions do not see such values
 * (k8s.io/apiserver/pkg/cel/common/schemas.go, SchemaDeclType).
 */
const declare = (schema: OpenApiSchema, environment: Environment, names: { count: number }): string | undefined => {
  if (schema['x-kubernetes-int-or-string']) return 'dyn';
  const { additionalProperties, items } = schema;
  switch (schema.type) {
    case 'array': {
      const type = items && declare(items, environment, names);
      return type && `list<${type}>`;
    }
    case 'object': {
      if (!isObject(additionalProperties)) return declareObject(schema, environment, names);
      const type = declare(additionalProperties, environment, names);
      return type && `map<string, ${type}>`;
    }
    case 'string':
      return TEXTS[schema.format ?? ''] ?? 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return 'double';
    case 'integer':
      return 'int';
    default:
      return undefined;
  }
};

/** An environment in which `self` and `oldSelf` have the type of the schema; undefined where that has no type in CEL. */
export const environmentOf = (schema: OpenApiSchema): Environment | undefined => {
  const environment = baseEnvironment().clone();
  const type = declare(schema, environment, { count: 0 });
  if (type === undefined) return undefined;
  return environment.registerVariable('self', type).registerVariable('oldSelf', type);
};
