import type { StepTable } from '../../step.ts';
import { addons } from '../addons/addons.ts';
import type { AddonsDependencies } from '../addons/dependencies.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { probe } from './probe.ts';

/** What a pass does with the workload cluster. One state, because the workflow asks for neither answer. */
export const makeWorkloadSteps = (deps: ProbeDependencies & AddonsDependencies): StepTable<'cluster-workload'> => {
  const parts = { probe: probe(deps), addons: addons(deps) };
  return {
    ...parts,
    workload: async (input) => {
      await parts.probe(input);
      return parts.addons(input);
    },
  };
};
