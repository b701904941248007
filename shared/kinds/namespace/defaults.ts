import type { ObjectMeta } from '../../kube-api/object.ts';
import type { Namespace } from './schema.ts';

/** By which selectors of namespaces find one by its name. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** What keeps a namespace until all that is in it is gone. */
const FINALIZER = 'kubernetes';

export const labelWithName = (metadata: ObjectMeta): ObjectMeta =>
  metadata.name ? { ...metadata, labels: { ...metadata.labels, [NAME_LABEL]: metadata.name } } : metadata;

/** A namespace is Active from the start; its deletion makes it Terminating. */
export const defaultNamespace = (namespace: Namespace): Namespace => ({
  ...namespace,
  status: { ...namespace.status, phase: namespace.status?.phase || 'Active' },
});

/** `/finalize` sets the finalizers of the spec, except for the one that stands for what is in the namespace. */
export const setFinalizers = (namespace: Namespace): Namespace => {
  const given = namespace.spec?.finalizers ?? [];
  return { ...namespace, spec: { finalizers: given.includes(FINALIZER) ? given : [...given, FINALIZER] } };
};

/** Finalizers of the spec are given at the start and kept. */
export const keepFinalizers = (namespace: Namespace, old: Namespace | undefined): Namespace => {
  return old?.spec ? { ...namespace, spec: old.spec } : setFinalizers(namespace);
};
