import { isDeepStrictEqual } from 'node:util';
import { forbiddenField, invalidValue } from '../../kube-api/field-error.ts';
import { isObject } from '../../kube-api/json.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError, ResourceDefinition } from '../../kube-api/resource.ts';
import { isReserved, WISHES } from './wishes.ts';

/** Changes of an object that users may not make. Only changes count: it is not a change to write back what was read. */

/** Fields of the spec that controllers write, by `<plural>.<group>`. */
export type OwnFields = Readonly<Record<string, readonly string[]>>;

const valueAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);

type Texts = Readonly<Record<string, unknown>>;

const textsOf = (metadata: unknown, field: 'labels' | 'annotations'): Texts => {
  const found = isObject(metadata) ? metadata[field] : undefined;
  return isObject(found) ? found : {};
};

const FIELDS = ['labels', 'annotations'] as const;

/** Keys in our domains that a write adds, changes or removes. */
const changedKeys = (next: Texts, old: Texts): string[] =>
  [...new Set([...Object.keys(next), ...Object.keys(old)])].filter((key) => isReserved(key) && next[key] !== old[key]);

const OWN = 'is written by the controllers only';

interface Judged {
  /** Changes that require the verb `adopt`. */
  own: FieldError[];
  /** Changes that are invalid for any writer. */
  wrong: FieldError[];
}

const NOTHING: Judged = { own: [], wrong: [] };

const merged = (all: readonly Judged[]): Judged => ({
  own: all.flatMap(({ own }) => own),
  wrong: all.flatMap(({ wrong }) => wrong),
});

/** `kind` is undefined in the metadata of a template, which may have keys for any kind. */
const judgeKey = (path: string, key: string, value: unknown, kind: string | undefined): Judged => {
  const field = `${path}[${key}]`;
  const wish = path.endsWith('annotations') && Object.hasOwn(WISHES, key) ? WISHES[key] : undefined;
  if (!wish) return { own: [forbiddenField(field, OWN)], wrong: [] };
  if (value === undefined) return NOTHING;
  if (kind !== undefined && !wish.kinds.includes(kind)) {
    return {
      own: [],
      wrong: [forbiddenField(field, `has no meaning on kind ${kind}; it belongs on ${wish.kinds.join(', ')}`)],
    };
  }
  const { error } = wish.schema.safeParse(value);
  return { own: [], wrong: (error?.issues ?? []).map(({ message }) => invalidValue(field, value, message)) };
};

const judgeMetadata = (next: KubeObject, old: KubeObject | undefined): Judged =>
  merged(
    FIELDS.flatMap((field) => {
      const [texts, before] = [textsOf(next.metadata, field), textsOf(old?.metadata, field)];
      return changedKeys(texts, before).map((key) => judgeKey(`metadata.${field}`, key, texts[key], next.kind));
    }),
  );

interface Nested {
  path: string;
  metadata: unknown;
}

/** The metadata of templates within a spec. */
const nested = (value: unknown, path: string): Nested[] => {
  if (Array.isArray(value)) return value.flatMap((one, index) => nested(one, `${path}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'metadata' ? [{ path: `${path}.metadata`, metadata: member }] : nested(member, `${path}.${key}`),
  );
};

/** Checks a key in a template, unless one of the object's templates had it before with the same value. */
const judgeTemplates = (next: KubeObject, old: KubeObject | undefined): Judged => {
  const specOf = (object: KubeObject | undefined): unknown => (object as { spec?: unknown } | undefined)?.spec;
  const before = nested(specOf(old), 'spec');
  const stood = (field: (typeof FIELDS)[number], key: string, value: unknown): boolean =>
    before.some(({ metadata }) => textsOf(metadata, field)[key] === value);
  return merged(
    nested(specOf(next), 'spec').flatMap(({ path, metadata }) =>
      FIELDS.flatMap((field) =>
        Object.entries(textsOf(metadata, field))
          .filter(([key, value]) => isReserved(key) && !stood(field, key, value))
          .map(([key, value]) => judgeKey(`${path}.${field}`, key, value, undefined)),
      ),
    ),
  );
};

const judgeFields = (fields: readonly string[], next: KubeObject, old: KubeObject | undefined): FieldError[] =>
  fields
    .filter((field) => !isDeepStrictEqual(valueAt(next, field), valueAt(old, field)))
    .map((field) => forbiddenField(field, OWN));

/** The finalizers of `own` that a write removes from an object. */
export const lostFinalizers = (next: unknown, old: KubeObject, own: ReadonlySet<string>): string[] => {
  const kept = valueAt(next, 'metadata.finalizers');
  return (old.metadata.finalizers ?? []).filter((one) => own.has(one) && !(Array.isArray(kept) && kept.includes(one)));
};

const judgeFinalizers = (next: KubeObject, old: KubeObject | undefined, own: ReadonlySet<string>): FieldError[] =>
  (old ? lostFinalizers(next, old, own) : []).map((finalizer) =>
    forbiddenField('metadata.finalizers', `${finalizer} is removed by the controllers only, once nothing is left`),
  );

/** A creation cannot set a status, because the API server drops it. */
const judgeStatus = (resource: ResourceDefinition, next: KubeObject, old: KubeObject | undefined): FieldError[] => {
  if (!old || !resource.statusSubresource) return [];
  return isDeepStrictEqual(valueAt(next, 'status'), valueAt(old, 'status')) ? [] : [forbiddenField('status', OWN)];
};

/**
 * The controllers' fields in a user's write (`own`), and its invalid settings (`wrong`). `ownFields`: the fields of the
 * spec that controllers write; undefined for a kind that is not reconciled here, whose status also belongs to its
 * users. `ownFinalizers`: those of the controllers.
 */
export const judgeWrite = (
  { resource, object, old }: { resource: ResourceDefinition; object: KubeObject; old?: KubeObject },
  ownFields: readonly string[] | undefined,
  ownFinalizers: ReadonlySet<string>,
): Judged => {
  const named = merged([judgeMetadata(object, old), judgeTemplates(object, old)]);
  if (!ownFields) return named;
  const own = [
    ...judgeFields(ownFields, object, old),
    ...judgeStatus(resource, object, old),
    ...judgeFinalizers(object, old, ownFinalizers),
  ];
  return merged([named, { own, wrong: [] }]);
};
