import type { ObjectMeta } from '../../kube-api/object.ts';
import type { Namespace } from './schema.ts';

/** The label with which selectors of namespaces find one by its name. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** The finalizer that keeps a namespace until everything in it is gone. */
const FINALIZER = 'kubernetes';

export const labelWithName = (metadata: ObjectMeta): ObjectMeta =>
  metadata.name ? { ...metadata, labels: { ...metadata.labels, [NAME_LABEL]: metadata.name } } : metadata;

/** A namespace is Active from the start, and Terminating once it is being deleted. */
export const defaultNamespace = (namespace: Namespace): Namespace => ({
  ...namespace,
  status: { ...namespace.status, phase: namespace.status?.phase || 'Active' },
});

/** `/finalize` sets the finalizers of the spec, except for the one that represents the contents of the namespace. */
export const setFinalizers = (namespace: Namespace): Namespace => {
  const given = namespace.spec?.finalizers ?? [];
  return { ...namespace, spec: { finalizers: given.includes(FINALIZER) ? given : [...given, FINALIZER] } };
};

/** Finalizers of the spec are set at the creation and kept. */
export const keepFinalizers = (namespace: Namespace, old: Namespace | undefined): Namespace => {
  return old?.spec ? { ...namespace, spec: old.spec } : setFinalizers(namespace);
};
