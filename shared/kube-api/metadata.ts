import { forbiddenField, invalidValue, required } from './field-error.ts';
import { POLICY_FINALIZERS } from './garbage/finalizers.ts';
import { memberPath } from './json.ts';
import {
  checkDnsLabel,
  checkGenerateName,
  checkLabelValue,
  checkName,
  checkPathPrefix,
  checkPathSegment,
  checkQualifiedName,
} from './names.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from './object.ts';
import type { FieldError, ResourceDefinition } from './resource.ts';

/** Those that need no domain before their name; the last is that of namespaces. */
const STANDARD_FINALIZERS: readonly string[] = [POLICY_FINALIZERS.Orphan, POLICY_FINALIZERS.Foreground, 'kubernetes'];

const MAX_ANNOTATION_BYTES = 256 * 1024;

const invalidAll = (field: string, badValue: unknown, details: readonly string[]): FieldError[] =>
  details.map((detail) => invalidValue(field, badValue, detail));

/** How names are checked, and what they may begin with. */
interface NameRules {
  name(name: string): string[];
  generateName(base: string): string[];
}

const validateNames = ({ name, generateName }: Partial<ObjectMeta>, rules: NameRules): FieldError[] => [
  ...(generateName ? invalidAll('metadata.generateName', generateName, rules.generateName(generateName)) : []),
  ...(name ? invalidAll('metadata.name', name, rules.name(name)) : []),
];

/** Errors of an object's metadata (k8s.io/apimachinery/pkg/api/validation ValidateObjectMeta), in upstream's order. */
export const validateMetadata = (resource: ResourceDefinition, { metadata }: KubeObject): FieldError[] => [
  ...validateNames(metadata, {
    name: (name) => checkName(resource, name),
    generateName: (base) => checkGenerateName(resource, base),
  }),
  ...(metadata.name ? [] : [required('metadata.name', 'name or generateName is required')]),
  ...validateParts(metadata),
  ...validateBareFinalizersOf(resource, metadata.finalizers ?? []),
];

/**
 * Errors of the metadata of an object within another one, of any kind, which needs no name. Like all errors here, they
 * begin with `metadata`.
 */
export const validateEmbeddedMetadata = (metadata: ObjectMeta): FieldError[] => {
  const { namespace = '', generation = 0 } = metadata;
  return [
    ...validateNames(metadata, { name: checkPathSegment, generateName: checkPathPrefix }),
    ...(namespace ? invalidAll('metadata.namespace', namespace, checkDnsLabel(namespace)) : []),
    ...(generation < 0 ? [invalidValue('metadata.generation', generation, 'must be greater than or equal to 0')] : []),
    ...validateParts(metadata),
  ];
};

/** What is the same for objects of all kinds. */
const validateParts = (metadata: ObjectMeta): FieldError[] => [
  ...validateLabels(metadata),
  ...validateAnnotations(metadata),
  ...(metadata.ownerReferences ?? []).flatMap((owner) => validateOwner(owner)),
  ...validateSingleController(metadata.ownerReferences ?? []),
  ...validateFinalizers(metadata.finalizers ?? []),
];

/** Kinds whose finalizers upstream checks only by the rules of apimachinery. */
const LENIENT: ReadonlySet<string> = new Set(['Event', 'Lease']);

const validateBareFinalizersOf = (
  { builtIn, kind }: ResourceDefinition,
  finalizers: readonly string[],
): FieldError[] => (builtIn && !LENIENT.has(kind) ? validateBareFinalizers(finalizers) : []);

const validateFinalizers = (finalizers: readonly string[]): FieldError[] => {
  const field = 'metadata.finalizers';
  const { Orphan, Foreground } = POLICY_FINALIZERS;
  const both = finalizers.includes(Orphan) && finalizers.includes(Foreground);
  const detail = `finalizer ${Orphan} and ${Foreground} cannot be both set`;
  const malformed = finalizers.flatMap((name) => invalidAll(field, name, checkQualifiedName(name)));
  return [...malformed, ...(both ? [invalidValue(field, finalizers, detail)] : [])];
};

/** The finalizers that are neither Kubernetes' own nor have a domain. */
export const validateBareFinalizers = (finalizers: readonly string[]): FieldError[] =>
  finalizers.flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.includes(name)
      ? []
      : [
          invalidValue(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

/** Errors of labels, whose values clients may have written. */
export const validateLabels = ({ labels = {} }: ObjectMeta): FieldError[] =>
  Object.entries(labels).flatMap(([key, value]) => [
    ...invalidAll('metadata.labels', key, checkQualifiedName(key)),
    ...invalidAll('metadata.labels', value, checkLabelValue(value)),
  ]);

/** Errors of the names and the size of annotations. */
export const validateAnnotations = ({ annotations = {} }: ObjectMeta): FieldError[] => {
  const errors = Object.keys(annotations).flatMap((key) =>
    // The prefix of an annotation key may be in upper case, as upstream lets it.
    invalidAll('metadata.annotations', key, checkQualifiedName(key.toLowerCase())),
  );
  const bytes = Object.entries(annotations).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  if (bytes <= MAX_ANNOTATION_BYTES) return errors;
  const detail = `may not be more than ${MAX_ANNOTATION_BYTES} bytes`;
  return [...errors, { type: 'FieldValueTooLong', field: 'metadata.annotations', detail }];
};

/** Empty for what is no API version. */
const versionIn = (apiVersion: string): string => {
  const parts = apiVersion.split('/');
  return parts.length > 2 ? '' : (parts.at(-1) ?? '');
};

/** Owners are no core Events, which upstream's garbage collector does not watch. */
const isEvent = ({ apiVersion, kind }: OwnerReference): boolean =>
  kind === 'Event' && (apiVersion === 'v1' || apiVersion === '/v1');

const validateOwner = (owner: OwnerReference): FieldError[] => {
  const path = 'metadata.ownerReferences';
  const { apiVersion = '', kind, name, uid, ...flags } = owner;
  const needed = (['kind', 'name', 'uid'] as const).filter((key) => !owner[key]);
  const shown = { apiVersion, kind, name, uid, ...flags };
  return [
    ...(versionIn(apiVersion)
      ? []
      : [invalidValue(memberPath(path, 'apiVersion'), apiVersion, 'version must not be empty')]),
    ...needed.map((key) => invalidValue(memberPath(path, key), '', 'must not be empty')),
    ...(isEvent(owner) ? [invalidValue(path, shown, '/v1, Kind=Event is disallowed from being an owner')] : []),
  ];
};

const validateSingleController = (owners: readonly OwnerReference[]): FieldError[] => {
  const [first, second] = owners.filter(({ controller }) => controller);
  if (!first || !second) return [];
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return [invalidValue('metadata.ownerReferences', owners, detail)];
};

/** Errors of a change of metadata: what identifies an object stays, and no finalizer joins one that is being deleted. */
export const validateMetadataChange = (next: ObjectMeta, old: ObjectMeta): FieldError[] => {
  const immutable = (['name', 'namespace', 'uid'] as const)
    .filter((key) => next[key] !== old[key])
    .map((key) => invalidValue(`metadata.${key}`, next[key], 'field is immutable'));
  if (old.deletionTimestamp === undefined) return immutable;
  const known = new Set(old.finalizers);
  const added = (next.finalizers ?? []).filter((name) => !known.has(name));
  if (added.length === 0) return immutable;
  const list = added.map((name) => JSON.stringify(name)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [...immutable, forbiddenField('metadata.finalizers', detail)];
};
