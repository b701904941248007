import type { Namespace } from './schema.ts';

/** A namespace is Active from the start, and Terminating once its deletion was asked for. */
export const defaultNamespace = (namespace: Namespace): Namespace => {
  const phase = namespace.metadata.deletionTimestamp ? 'Terminating' : 'Active';
  return { ...namespace, status: { ...namespace.status, phase } };
};
