import type { Machine } from '../../kinds/index.ts';
import { defaultMachine } from '../../kinds/machine/defaults.ts';
import type { KubeObject, ManagedFieldsEntry } from '../../kube-api/object.ts';
import { ofTemplate } from '../annotations/wishes.ts';
import { ANNOTATION } from '../labels.ts';

export interface Metadata {
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
}

/** The name under which controllers write; see decision 7. */
const MANAGER = 'windlass';

/** Records of controllers on an object from which they propagate: these never came from a template. */
const isNote = (key: string): boolean =>
  key.startsWith('windlass.dev/') ||
  key.startsWith('pre-drain.delete.hook.') ||
  key.startsWith('pre-terminate.delete.hook.') ||
  key.startsWith('machine.cluster.x-k8s.io/certificates-expiry') ||
  key === ANNOTATION.remediationFor ||
  key === ANNOTATION.rke2ServerConfiguration ||
  key === ANNOTATION.clonedFromName ||
  key === ANNOTATION.clonedFromGroupKind;

const isOurs = ({ manager, operation }: ManagedFieldsEntry): boolean => manager === MANAGER && operation === 'Update';

/** The labels or annotations of an object that some managers own. */
const ownedBy = (managers: readonly ManagedFieldsEntry[], field: keyof Metadata): string[] =>
  managers
    .flatMap(({ fieldsV1 }) => {
      const fields = fieldsV1 as Record<string, Record<string, Record<string, unknown>>> | undefined;
      return Object.keys(fields?.['f:metadata']?.[`f:${field}`] ?? {});
    })
    .filter((key) => key.startsWith('f:'))
    .map((key) => key.slice(2));

/**
 * The labels or annotations of an object that controllers have written, without those that another manager has also
 * set.
 */
const written = ({ metadata: { managedFields = [] } }: KubeObject, field: keyof Metadata): string[] => {
  const others = new Set(
    ownedBy(
      managedFields.filter((entry) => !isOurs(entry)),
      field,
    ),
  );
  return ownedBy(managedFields.filter(isOurs), field).filter((key) => !others.has(key));
};

interface Change {
  wanted: Metadata;
  before: Metadata | undefined;
}

const merged = (object: KubeObject, field: keyof Metadata, { wanted, before }: Change) => {
  const own = ofTemplate(wanted[field]);
  const came = (key: string): boolean => before === undefined || key in (before[field] ?? {});
  const gone = new Set(written(object, field).filter((key) => !(key in own) && !isNote(key) && came(key)));
  const kept = Object.entries(object.metadata[field] ?? {}).filter(([key]) => !gone.has(key));
  return { ...Object.fromEntries(kept), ...own };
};

/**
 * `object` with the labels and annotations of its owner. What was propagated before and is no longer wanted is removed.
 * Additions by a user or another controller are kept, even with the same value. Upstream achieves the same with
 * server-side apply. `before`: if the object also has metadata from its own template, what its owner had set; only that
 * can be removed.
 */
export const withPropagated = <T extends KubeObject>(object: T, wanted: Metadata, before?: Metadata): T => {
  const labels = merged(object, 'labels', { wanted, before });
  const annotations = merged(object, 'annotations', { wanted, before });
  const { labels: _labels, annotations: _annotations, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
  };
};

/** The machine with its owner's deletion timeouts, or with the defaults if there are none. */
export const withDeletion = (machine: Machine, deletion: Machine['spec']['deletion']): Machine => {
  const { deletion: _before, ...spec } = machine.spec;
  const next = { ...machine, spec: { ...spec, ...(deletion ? { deletion } : {}) } };
  return { ...machine, spec: { ...machine.spec, deletion: defaultMachine(next).spec.deletion } };
};
