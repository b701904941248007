import type { KubeObject, ObjectKey, ObjectMeta, ResourceId } from './object.ts';

/** A rule of `x-kubernetes-validations`: a CEL expression that must be true. */
export interface ValidationRule {
  rule: string;
  message?: string | undefined;
  messageExpression?: string | undefined;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate' | undefined;
  fieldPath?: string | undefined;
  /** True if the rule is also evaluated without an earlier value; `oldSelf` is then an optional. */
  optionalOldSelf?: boolean | undefined;
}

/** A structural OpenAPI v3 schema with the `x-kubernetes-*` extensions. */
export interface OpenApiSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  description?: string;
  properties?: Record<string, OpenApiSchema>;
  required?: string[];
  additionalProperties?: OpenApiSchema | boolean;
  items?: OpenApiSchema;
  enum?: unknown[];
  default?: unknown;
  nullable?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-validations'?: ValidationRule[];
  title?: string;
  multipleOf?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  uniqueItems?: boolean;
  example?: unknown;
  allOf?: OpenApiSchema[];
  anyOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
  not?: OpenApiSchema;
}

/**
 * CustomResourceDefinition `additionalPrinterColumns`: a column with a `priority` above 0 is only shown by `-o wide`.
 */
export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  jsonPath: string;
  /** The column's type for a built-in kind; `string` by default. */
  statedType?: 'string' | 'integer' | 'date';
  format?: string;
  description?: string;
  priority?: number;
  /**
   * Computes the cell's value if a path cannot, such as a count. Takes precedence over `jsonPath`; the result is still
   * formatted by `type`.
   */
  value?(object: KubeObject, now: Date): string | number | undefined;
}

/** `/scale` subresource: JSON paths with a leading dot, as in a CustomResourceDefinition. */
export interface ScaleSubresource {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** The classes of field error of the API server, in its own wording (k8s.io/apimachinery field.ErrorType). */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One cause of a 422: `field` is a path such as `spec.template.spec.version` or `spec.files[0].path`. */
export interface FieldError {
  type: FieldErrorType;
  field: string;
  detail: string;
  /**
   * The refused value, shown after `Invalid value:`; omitted if the API server shows none (Required, Forbidden, CEL
   * rules for objects and lists).
   */
  badValue?: unknown;
}

/**
 * A further version in which a resource is served. Objects are stored only in the version of the definition; this
 * describes the other one and the conversion of the bodies (everything except apiVersion, kind and metadata). The
 * converters are pure and may lose what the other side cannot express: the server ensures that nothing is lost
 * (`versions/convert.ts`).
 */
export interface ServedVersion {
  /** Set if the version belongs to another group than the stored one: the same objects under two paths. */
  group?: string;
  /** Such as `v1beta1`. */
  name: string;
  /**
   * Like `schema` in the definition. Called when it is first needed, so that an old version costs nothing at the start.
   */
  schema(): OpenApiSchema;
  columns: readonly PrinterColumn[];
  scale?: ScaleSubresource;
  selectableFields?: readonly string[];
  /** Whether clients are warned that the version is deprecated. */
  deprecated?: boolean;
  /** Like `zero` in the definition. */
  zero?: Readonly<Record<string, unknown>>;
  /** Rules beyond the schema only for writes in this version; those of the stored version also apply. Pure. */
  validate?(object: KubeObject, old: KubeObject | undefined): FieldError[];
  /** Admission defaults beyond those in the schema, which are visible in this version only. Pure. */
  default?(object: KubeObject): KubeObject;
  /**
   * Converts an object that this version's schema admits to the body in the stored version. It may contain fields that
   * the other version does not have, and empty ones that it refuses: they are dropped.
   */
  toStorage(object: KubeObject): object;
  /** Converts a stored object to the body in this version. It may contain fields that this version does not have. */
  fromStorage(object: KubeObject): object;
}

/** Marks the definition of a further version, which is not stored but a view of the stored one. */
export interface View {
  version: ServedVersion;
  /** The version's schema, created once. */
  readonly schema: OpenApiSchema;
  storage: ResourceDefinition;
}

/** Properties of a definition whose kind comes from a CustomResourceDefinition. */
export interface CustomKind {
  /** The version in which objects are stored; it need not be served. */
  storageVersion: string;
  /** Labels of the CustomResourceDefinition. */
  labels: Readonly<Record<string, string>>;
  /** Shown to clients of a deprecated version. */
  deprecation?: string;
  /** True while the objects are being deleted with the CustomResourceDefinition: nothing new is stored. */
  isTerminating: boolean;
  /** The definitions of all served versions, this one among them. */
  served(): readonly ResourceDefinition[];
  /** The schema of one of the versions, served or not. */
  schemaOf(version: string): OpenApiSchema | undefined;
  /** Converts objects between versions if that requires a webhook. Without it, versions only differ in their names. */
  convert?: ConvertObjects;
  /** The objects that the current request has converted, if a webhook converts. */
  conversions?: Conversions;
  /**
   * True if objects are read and written in the version in which they are stored, so that nothing is converted: for
   * code that only uses metadata. `versions/as-stored.ts` creates such definitions.
   */
  isAsStored?: boolean;
}

/** Returns the objects in another version of their kind, in the same order. Throws a StatusError if that fails. */
export type ConvertObjects = (objects: readonly KubeObject[], apiVersion: string) => Promise<KubeObject[]>;

/** Conversions of one request, for rules that are pure and do not wait (`custom/conversion/conversions.ts`). */
export interface Conversions {
  /**
   * The object in another version. Only inside `run`, which it interrupts if the object was not converted yet. Throws a
   * StatusError if the conversion fails.
   */
  see(object: KubeObject, apiVersion: string): KubeObject;
  /** Runs work, and starts again after each conversion that it needs; so the work must have no effects. */
  run<T>(work: () => T): Promise<T>;
}

/** The handler of a POST to an action of an object. `Registry`: its access to objects. */
export interface ActionRequest<Registry> {
  registry: Registry;
  key: ObjectKey;
  body: Readonly<Record<string, unknown>>;
  dryRun: boolean;
  now: Date;
}

/** A subresource to which clients post, such as the eviction of a pod. */
export interface Action<Registry> {
  group: string;
  version: string;
  kind: string;
  /** Carries it out and returns the body of the response. Throws StatusError. */
  run(request: ActionRequest<Registry>): Promise<object>;
}

/**
 * Everything that the API server must know about a kind. Definitions are data and pure functions; they have no state.
 */
export interface ResourceDefinition<T extends KubeObject = KubeObject> extends ResourceId {
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  namespaced: boolean;
  /** The schema of the complete object, without `apiVersion`, `kind` and `metadata`, which the server adds. */
  schema: OpenApiSchema;
  /** Bodies are read by this schema instead of `schema`, which may be recursive. */
  bodySchema?: OpenApiSchema;
  /** Errors of a complete object instead of those of only `schema`. `old`: the replaced object. Pure. */
  validateBody?(object: T, old: T | undefined): FieldError[];
  /** True if `status` is a subresource: the main endpoint ignores it, and `/status` changes nothing else. */
  statusSubresource: boolean;
  scale?: ScaleSubresource;
  columns: readonly PrinterColumn[];
  /** True for kinds that upstream builds in (Secret, Namespace…): kubectl patches them by strategic merge. */
  builtIn: boolean;
  /** Verbs that the kind does not have, such as the deletion of a collection. */
  withoutVerbs?: readonly string[];
  /** True if the objects are part of the server (`fixed-storage.ts`): they are read-only. */
  readOnly?: boolean;
  /** True if a PUT of a missing object creates it. */
  createdByUpdate?: boolean;
  /** True if the namespace of such an object cannot be deleted before it. */
  keepsNamespace?: boolean;
  /** True if a PUT must contain the version that it replaces, which is always required for a custom resource. */
  versionRequired?: boolean;
  /** True for built-in kinds outside the core group that have no generation. */
  withoutGeneration?: boolean;
  /** True if a DELETE returns the object in its last state, and not a Status. */
  returnsDeleted?: boolean;
  /**
   * Go's values for an empty object of the kind, in addition to metadata: in a new object, these values have no owner.
   */
  zero?: Readonly<Record<string, unknown>>;
  /** Metadata that the server adds before anything is checked, such as labels of all objects. Pure. */
  completeMetadata?(metadata: ObjectMeta): ObjectMeta;
  /**
   * Sets fields that clients may not set: done last, and without an owner. `now` is the time of the write, if known.
   * Pure.
   */
  decide?(object: T, old: T | undefined, now: Date | undefined): T;
  /** Used instead of `decide` for a PUT to `/finalize`; a kind without it has no such subresource. Pure. */
  finalize?(object: T): T;
  /** Admission defaults beyond those in the schema, applied on create and update to a structurally valid object. Pure. */
  default?(object: T, old: T | undefined): T;
  /** The status of a new object whose writer sets none, for kinds with an initial status. Pure. */
  initialStatus?(object: T, now: Date): Readonly<Record<string, unknown>> | undefined;
  /** Admission rules beyond the schema. All errors are returned, never only the first. Pure. */
  validate?(object: T, old: T | undefined): FieldError[];
  /**
   * For how many seconds an object is only marked as deleted. Afterwards, a deletion with a grace period of 0 must
   * remove it permanently. `asked` is the request's value. Without this function, objects are removed immediately.
   * Pure.
   */
  graceSeconds?(object: T, asked: number | undefined): number;
  /** Subresources to which clients post, by name. They get the registry that serves the kind. */
  actions?: Readonly<Record<string, Action<never>>>;
  /** The object after its first deletion, with the finalizers that hold it from then on. Pure. */
  whenDeleted?(object: T, now: Date): T;
  /** Admission rules for deletion, such as a namespace that is still in use. Pure. */
  validateDelete?(object: T): FieldError[];
  /** Warnings for the `Warning` header. Pure. */
  warnings?(object: T, old: T | undefined): string[];
  /** The name of the Cluster to which the object belongs: the key of the index "objects of one cluster". */
  clusterNameOf?(object: T): string | undefined;
  /** Fields besides metadata.name and metadata.namespace that field selectors may name, with their JSON paths. */
  selectableFields?: readonly string[];
  /** Further fields for field selectors, whose values are not at a path with that name. */
  selectableValues?: Readonly<Record<string, (object: KubeObject) => string | undefined>>;
  /** Further versions in which the kind is served, most preferred first, all less preferred than this one. */
  versions?: readonly ServedVersion[];
  /** Set by the server (`servedResources`) in the definitions of further versions, and only there. */
  view?: View;
  /** Set in definitions that come from a CustomResourceDefinition, and only there. */
  custom?: CustomKind;
}
