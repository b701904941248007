import type { StepTable } from '../step.ts';
import { beginPool } from './begin.ts';
import { poolBootstrap } from './bootstrap.ts';
import type { PoolDependencies } from './dependencies.ts';
import { fail, finishPool, finishPoolRemoval } from './finish.ts';
import { poolMachines } from './machines.ts';

/** The steps of a pool's workflow that touch objects only. */
export const makePoolObjectsSteps = (deps: PoolDependencies): StepTable<'pool-objects'> => ({
  beginPool: beginPool(deps),
  poolBootstrap: poolBootstrap(deps),
  poolMachines: poolMachines(deps),
  finishPool: finishPool(deps),
  finishPoolRemoval: finishPoolRemoval(deps),
  fail: fail(deps),
});
