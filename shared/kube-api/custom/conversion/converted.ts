import { describeFieldError, summarize } from '../../field-error.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { validateAnnotations, validateLabels } from '../../metadata.ts';
import type { KubeObject, ObjectMeta } from '../../object.ts';
import type { FieldError } from '../../resource.ts';

/**
 * Checks that a converted object is the same one: a webhook may change nothing but labels, annotations and the body.
 */

const LONGEST_SHOWN = 253;

const shown = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST_SHOWN) : '');

/** The first error, as the end of a sentence about the webhook; undefined if there is none. */
export const checkConverted = (
  original: KubeObject,
  converted: JsonObject,
  apiVersion: string,
): ((index: number) => string) | undefined => {
  const at = (why: string) => (index: number) => `returned invalid object at index ${index}: ${why}`;
  const { apiVersion: found, kind } = converted;
  if (found !== apiVersion) return at(`invalid groupVersion (expected ${apiVersion}, received ${shown(found)})`);
  if (kind !== original.kind) return at(`invalid kind (expected ${original.kind}, received ${shown(kind)})`);
  const metadata = isObject(converted.metadata) ? converted.metadata : {};
  const identity: [string, string | undefined, unknown][] = [
    ['name', original.metadata.name, metadata.name],
    ['namespace', original.metadata.namespace, metadata.namespace],
    ['UID', original.metadata.uid, metadata.uid],
  ];
  const other = identity.find(([, was = '', is]) => was !== (is ?? ''));
  if (!other) return undefined;
  const [what, was = '', is] = other;
  return () => `returned invalid object: must have the same ${what}: ${was} != ${shown(is)}`;
};

/** The name of a JSON value's type in Go. */
const goTypeOf = (value: unknown): string => {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'map[string]interface {}';
};

type Texts = Record<string, string>;

const faultsOf = (field: 'labels' | 'annotations', texts: Texts): FieldError[] =>
  field === 'labels'
    ? validateLabels({ name: '', labels: texts })
    : validateAnnotations({ name: '', annotations: texts }).map((error) => ({
        ...error,
        field: 'metadata.annotation',
      }));

const sentenceOf = (errors: readonly FieldError[]): string => {
  const [first] = errors;
  return errors.length === 1 && first ? `${first.field}: ${describeFieldError(first)}` : summarize(errors);
};

const textsOf = (
  field: 'labels' | 'annotations',
  value: unknown,
  was: Texts = {},
): { texts?: Texts; fault?: string } => {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return { fault: `invalid metadata.${field} of type ${goTypeOf(value)} in converted object` };
  const wrong = Object.entries(value).find(([, text]) => typeof text !== 'string');
  if (wrong) {
    const [key, text] = wrong;
    const named = `metadata.${field}[${shown(key)}]`;
    return { fault: `${named} must be a string, but is ${goTypeOf(text)} in converted object` };
  }
  const texts = value as Texts;
  const entries = Object.entries(texts);
  const isSame = entries.length === Object.keys(was).length && entries.every(([key, text]) => was[key] === text);
  const errors = isSame ? [] : faultsOf(field, texts);
  return errors.length > 0 ? { fault: sentenceOf(errors) } : { texts };
};

/** The converted object with its own labels and annotations, and all other metadata of the original. */
export const withMetadataOf = (
  { metadata: original }: KubeObject,
  converted: JsonObject,
): { object: KubeObject } | { fault: string } => {
  const { metadata } = converted;
  if (metadata === undefined) return { fault: 'missing metadata in converted object' };
  if (!isObject(metadata)) return { fault: `invalid metadata of type ${goTypeOf(metadata)} in converted object` };
  const { labels: _, annotations: __, ...kept } = original;
  const labels = textsOf('labels', metadata.labels, original.labels);
  const annotations = textsOf('annotations', metadata.annotations, original.annotations);
  const fault = labels.fault ?? annotations.fault;
  if (fault !== undefined) return { fault };
  const restored: ObjectMeta = {
    ...kept,
    ...(labels.texts ? { labels: labels.texts } : {}),
    ...(annotations.texts ? { annotations: annotations.texts } : {}),
  };
  return { object: { ...converted, metadata: restored } as unknown as KubeObject };
};
