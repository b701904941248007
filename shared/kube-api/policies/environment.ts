import type { Environment } from '../cel/check/environment.ts';
import { type CelType, listOf, mapOf, structOf, TYPES } from '../cel/check/types.ts';
import { compile, type Expected, type Program } from '../cel/compile.ts';
import { fromJson } from '../cel/from-json.ts';
import type { CelValue } from '../cel/value.ts';
import type { KubeObject } from '../object.ts';
import type { OpenApiSchema } from '../resource.ts';
import { explained, fields, REQUEST_STRUCTS, struct } from '../webhooks/conditions.ts';
import type { PolicySpec } from './policy.ts';

/** The variables and types of policy expressions (k8s.io/apiserver, admission/plugin/cel). */

const { string, dyn, int, timestamp, bool, null: none } = TYPES;
const texts = mapOf(string, string);

const NAMESPACE_STRUCTS: Environment['structs'] = new Map([
  [
    'kubernetes.Namespace',
    fields({
      metadata: struct('NamespaceMetadata'),
      spec: struct('NamespaceSpec'),
      status: struct('NamespaceStatus'),
    }),
  ],
  ['kubernetes.NamespaceSpec', fields({ finalizers: listOf(string) })],
  ['kubernetes.NamespaceStatus', fields({ conditions: listOf(struct('NamespaceCondition')), phase: string })],
  [
    'kubernetes.NamespaceCondition',
    fields({ status: string, type: string, lastTransitionTime: timestamp, message: string, reason: string }),
  ],
  [
    'kubernetes.NamespaceMetadata',
    fields({
      ...{ name: string, generateName: string, namespace: string, labels: texts, annotations: texts, UID: string },
      ...{ creationTimestamp: timestamp, deletionGracePeriodSeconds: int, deletionTimestamp: timestamp },
      ...{ generation: int, resourceVersion: string, finalizers: listOf(string) },
    }),
  ],
]);

const text: OpenApiSchema = { type: 'string' };
const time: OpenApiSchema = { type: 'string', format: 'date-time' };
const number: OpenApiSchema = { type: 'integer' };
const textMap: OpenApiSchema = { type: 'object', additionalProperties: text };
const textList: OpenApiSchema = { type: 'array', items: text };
const object = (properties: Record<string, OpenApiSchema>): OpenApiSchema => ({ type: 'object', properties });

const NAMESPACE_SCHEMA = object({
  metadata: object({
    ...{ name: text, generateName: text, namespace: text, labels: textMap, annotations: textMap, uid: text },
    ...{ creationTimestamp: time, deletionGracePeriodSeconds: number, deletionTimestamp: time, generation: number },
    ...{ resourceVersion: text, finalizers: textList },
  }),
  spec: object({ finalizers: textList }),
  status: object({
    conditions: {
      type: 'array',
      items: object({ status: text, type: text, lastTransitionTime: time, message: text, reason: text }),
    },
    phase: text,
  }),
});

/** Converts a request's namespace to the value of `namespaceObject`. */
export const namespaceValue = (namespace: KubeObject | undefined): CelValue =>
  namespace ? fromJson(NAMESPACE_SCHEMA, namespace) : null;

const VARIABLES = 'kubernetes.variables';

/** The environment of a policy's expressions, with the types of the variables that are compiled so far. */
const environmentOf = ({ paramKind }: PolicySpec, variables?: ReadonlyMap<string, CelType>): Environment => ({
  variables: new Map([
    ['object', dyn],
    ['oldObject', dyn],
    ['namespaceObject', struct('Namespace')],
    ['request', struct('AdmissionRequest')],
    ...(paramKind ? [['params', dyn] as const] : []),
    ...(variables ? [['variables', structOf(VARIABLES)] as const] : []),
  ]),
  structs: new Map([...REQUEST_STRUCTS, ...NAMESPACE_STRUCTS, ...(variables ? [[VARIABLES, variables] as const] : [])]),
});

export type Compiled = Program | { fault: string };

const CONDITION: Expected = {
  title: '',
  types: [bool],
  mismatch: (found) => `must evaluate to bool but got ${found}`,
};
const MESSAGE: Expected = {
  title: '',
  types: [string],
  mismatch: (found) => `must evaluate to string but got ${found}`,
};
const ANNOTATION: Expected = {
  title: '',
  types: [string, none],
  mismatch: (found) => `must evaluate to one of [string null_type] but got ${found}`,
};
const ANYTHING: Expected = { title: '', types: [], mismatch: '' };

/** Compiles the expressions of one policy. Each variable can use those before it. */
export const compilerOf = (spec: PolicySpec) => {
  const types = new Map<string, CelType>();
  const hasVariables = (spec.variables ?? []).length > 0;
  const compiled = (expression: string, expected: Expected, of: Environment): Compiled => {
    const program = compile(of, expression, expected);
    return 'fault' in program ? { fault: explained(program.fault, expression) } : program;
  };
  const composed = (expression: string, expected: Expected): Compiled =>
    compiled(expression, expected, environmentOf(spec, hasVariables ? types : undefined));
  return {
    variable: (name: string, expression: string): Compiled => {
      const program = composed(expression, ANYTHING);
      types.set(name, 'fault' in program ? TYPES.error : (program.checked.types.get(program.checked.root.id) ?? dyn));
      return program;
    },
    matchCondition: (expression: string): Compiled => compiled(expression, CONDITION, environmentOf(spec)),
    validation: (expression: string): Compiled => composed(expression, CONDITION),
    message: (expression: string): Compiled => composed(expression, MESSAGE),
    annotation: (expression: string): Compiled => composed(expression, ANNOTATION),
  };
};
