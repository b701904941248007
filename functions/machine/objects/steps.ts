import type { StepTable } from '../../step.ts';
import { beginProvision, beginRemove } from './begin.ts';
import { bootstrapData } from './bootstrap-data.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { fail, finishProvision, finishRemove } from './finish.ts';
import { finishWatched } from './finish-watched.ts';

/** The steps of a machine's workflows that only use objects. */
export const makeMachineObjectsSteps = (deps: MachineObjectsDependencies): StepTable<'machine-objects'> => ({
  beginProvision: beginProvision(deps),
  bootstrapData: bootstrapData(deps),
  beginRemove: beginRemove(deps),
  finishRemove: finishRemove(deps),
  finishProvision: finishProvision(deps),
  finishWatched: finishWatched(deps),
  fail: fail(deps),
});
