import type { StepTable } from '../../../step.ts';
import type { ScopedInstanceDependencies } from './dependencies.ts';
import { launchInstance } from './launch.ts';
import { observeInstance } from './observe.ts';
import { terminateInstance } from './terminate.ts';

/** The steps of a machine's workflows that use its instance. */
export const makeInstanceSteps = (deps: ScopedInstanceDependencies): StepTable<'machine-instance'> => ({
  launchInstance: launchInstance(deps),
  observeInstance: observeInstance(deps),
  terminateInstance: terminateInstance(deps),
});
