import type { WorkStore } from './work.ts';

/** The work of an installation in which no pass holds a lease, for tests. */
export const NO_PASSES: Pick<WorkStore, 'get' | 'release'> = {
  get: async () => undefined,
  release: async () => ({ held: false, wanted: 0, attempts: 0 }),
};
