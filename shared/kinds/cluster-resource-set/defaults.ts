import type { ClusterResourceSet } from './schema.ts';

export const defaultClusterResourceSet = (set: ClusterResourceSet): ClusterResourceSet => ({
  ...set,
  spec: { ...set.spec, strategy: set.spec.strategy ?? 'ApplyOnce' },
});
