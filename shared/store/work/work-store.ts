import { clusterLeases } from './cluster-leases.ts';
import { machineLeases } from './machine-leases.ts';
import { nodeWatches } from './node-watches.ts';
import type { WorkDependencies, WorkStore } from './work.ts';
import { sweepIndex } from './work-index.ts';

/** The work store in the table. */
export const createWorkStore = (deps: WorkDependencies): WorkStore => ({
  ...clusterLeases(deps),
  ...machineLeases(deps),
  ...nodeWatches(deps),
  ...sweepIndex(deps),
});
