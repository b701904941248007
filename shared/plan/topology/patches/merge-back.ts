import type { JsonObject } from '../../../kube-api/json.ts';
import { ANNOTATION, LABEL } from '../../labels.ts';
import { type AnyObject, TOPOLOGY_LABEL } from '../objects.ts';
import { type Path, valueAt, withValue } from '../path.ts';

/** Labels and annotations that identify objects: patches cannot change them. */
const ALWAYS_PRESERVED: readonly Path[] = [
  ['metadata', 'labels', LABEL.clusterName],
  ['metadata', 'labels', TOPOLOGY_LABEL.owned],
  ['metadata', 'labels', TOPOLOGY_LABEL.deploymentName],
  ['metadata', 'labels', TOPOLOGY_LABEL.poolName],
  ['metadata', 'annotations', ANNOTATION.clonedFromName],
  ['metadata', 'annotations', ANNOTATION.clonedFromGroupKind],
];

const LABELS: Path = ['metadata', 'labels'];
const ANNOTATIONS: Path = ['metadata', 'annotations'];
const INNER: Path = ['spec', 'template'];

type Copy = readonly [from: Path, to: Path];

const OF_OBJECT: readonly Copy[] = [
  [[...INNER, 'spec'], ['spec']],
  [[...INNER, ...LABELS], LABELS],
  [[...INNER, ...ANNOTATIONS], ANNOTATIONS],
];

const OF_TEMPLATE: readonly Copy[] = [
  LABELS,
  ANNOTATIONS,
  [...INNER, 'spec'],
  [...INNER, ...LABELS],
  [...INNER, ...ANNOTATIONS],
].map((path) => [path, path] as const);

const merge = (
  desired: AnyObject,
  patched: JsonObject,
  copies: readonly Copy[],
  preserved: readonly Path[],
): AnyObject => {
  const changed = copies.reduce<JsonObject>((at, [from, to]) => withValue(at, to, valueAt(patched, from)), {
    ...desired,
  });
  const kept = preserved.reduce<JsonObject>((at, path) => withValue(at, path, valueAt(desired, path)), changed);
  return kept as unknown as AnyObject;
};

/** The object with the spec of its patched template, except for the fields that the topology itself has set. */
export const mergeIntoObject = (desired: AnyObject, patched: JsonObject, preserved: readonly Path[] = []): AnyObject =>
  merge(desired, patched, OF_OBJECT, [...preserved, ...ALWAYS_PRESERVED]);

/** The copy of a template with the changes that patches have made to the template. */
export const mergeIntoTemplate = (desired: AnyObject, patched: JsonObject): AnyObject =>
  merge(desired, patched, OF_TEMPLATE, ALWAYS_PRESERVED);

const DROPPED = 'kubectl.kubernetes.io/last-applied-configuration';

const bare = (template: AnyObject): JsonObject => {
  const { managedFields: _, annotations = {}, ...metadata } = template.metadata;
  const kept = Object.entries(annotations).filter(([key]) => key !== DROPPED);
  return {
    ...template,
    metadata: { ...metadata, ...(kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {}) },
  };
};

/**
 * A template in the form that patches get, with the labels and annotations of the object that will be created from it.
 */
export const patchableForObject = (template: AnyObject, { metadata }: AnyObject): JsonObject => {
  const labeled = withValue(bare(template), [...INNER, ...LABELS], metadata.labels);
  return withValue(labeled, [...INNER, ...ANNOTATIONS], metadata.annotations);
};

/** A template in the form that patches get, with the labels and annotations of its copy. */
export const patchableForTemplate = (template: AnyObject, { metadata }: AnyObject): JsonObject => {
  const labeled = withValue(bare(template), LABELS, metadata.labels);
  return withValue(labeled, ANNOTATIONS, metadata.annotations);
};
