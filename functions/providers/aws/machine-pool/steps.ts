import type { StepTable } from '../../../step.ts';
import type { ScopedPoolDependencies } from './dependencies.ts';
import { reconcilePool } from './reconcile.ts';
import { removePool } from './remove.ts';

/** The steps of a pool's workflow that call AWS. */
export const makePoolGroupSteps = (deps: ScopedPoolDependencies): StepTable<'pool-group'> => ({
  reconcilePool: reconcilePool(deps),
  removePool: removePool(deps),
});
