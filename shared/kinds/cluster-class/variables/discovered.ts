import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../kube-api/json.ts';
import type { ClusterClass, ClusterClassSpec } from '../schema.ts';
import type { ClassVariable, StatusVariable } from '../variable-schema.ts';
import { inlineDefinitions } from './definitions.ts';

/** A patch whose extension determines its variables. */
export interface DiscoveringPatch {
  patch: string;
  /** `<handler>.<ExtensionConfig>`. */
  handler: string;
  settings: Readonly<Record<string, string>> | undefined;
}

export const discoveringPatches = ({ patches = [] }: ClusterClassSpec): DiscoveringPatch[] =>
  patches.flatMap(({ name, external }) =>
    external?.discoverVariablesExtension
      ? [{ patch: name, handler: external.discoverVariablesExtension, settings: external.settings }]
      : [],
  );

export const discoversVariables = (spec: ClusterClassSpec): boolean => discoveringPatches(spec).length > 0;

type Variables = Pick<ClusterClass, 'metadata' | 'spec' | 'status'>;

const readiness = ({ status }: Variables): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'VariablesReady')?.status;

/** Whether the variables of the current class are known (clusterClassIsReconciled in core/webhooks/admission). */
export const areVariablesKnown = (clusterClass: Variables): boolean => {
  if (!discoversVariables(clusterClass.spec)) return true;
  const { metadata, status } = clusterClass;
  return status?.observedGeneration === metadata.generation && readiness(clusterClass) === 'True';
};

/** The definitions of a class whose variables are known. */
export const definitionsOf = ({ spec, status }: Variables): readonly StatusVariable[] =>
  discoversVariables(spec) ? (status?.variables ?? []) : inlineDefinitions(spec.variables);

/** Flags of a schema for which false means the same as absent. */
const FLAGS: ReadonlySet<string> = new Set([
  'uniqueItems',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
]);

const withoutFlags = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutFlags);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => value !== undefined && (value !== false || !FLAGS.has(key)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutFlags(value)]));
};

type Definition = StatusVariable['definitions'][number];

const areAlike = (a: Definition, b: Definition): boolean =>
  (a.required ?? false) === (b.required ?? false) &&
  isDeepStrictEqual(withoutFlags(a.schema), withoutFlags(b.schema)) &&
  isDeepStrictEqual(withoutFlags(a.deprecatedV1Beta1Metadata ?? {}), withoutFlags(b.deprecatedV1Beta1Metadata ?? {}));

/**
 * All definitions of a class: its own, and those discovered from the extensions of its patches, in the order of the
 * patches (reconcileVariables in core/reconcilers/clusterclass).
 */
export const mergeDefinitions = (
  { variables }: ClusterClassSpec,
  discovered: readonly { patch: string; variables: readonly ClassVariable[] }[],
): StatusVariable[] => {
  const merged = new Map(inlineDefinitions(variables).map((variable) => [variable.name, variable]));
  for (const { patch, variables: found } of discovered) {
    for (const { name, required = false, schema, deprecatedV1Beta1Metadata: metadata } of found) {
      const definition = {
        from: patch,
        required,
        schema,
        ...(metadata ? { deprecatedV1Beta1Metadata: metadata } : {}),
      };
      const { definitions = [], definitionsConflict = false } = merged.get(name) ?? {};
      const [first = definition] = definitions;
      const conflicts = definitionsConflict || !areAlike(first, definition);
      merged.set(name, { name, definitionsConflict: conflicts, definitions: [...definitions, definition] });
    }
  }
  return [...merged.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};
