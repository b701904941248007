import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import type { StepTable } from '../../step.ts';
import { addons } from '../addons/addons.ts';
import type { AddonsDependencies } from '../addons/dependencies.ts';
import type { ProbeDependencies } from './dependencies.ts';
import { probe } from './probe.ts';
import { routeNodes } from './routes/route-nodes.ts';
import { balanceServices } from './services/balance-services.ts';

/**
 * The steps of a pass in the workload cluster. They are one state, because the workflow needs none of their results.
 */
export const makeWorkloadSteps = (deps: ProbeDependencies & AddonsDependencies): StepTable<'cluster-workload'> => {
  const parts = { probe: probe(deps), addons: addons(deps) };
  const balance = balanceServices(deps);
  const route = routeNodes(deps);
  const workload = async (input: ConvergeInput) => {
    const { routes, services } = await parts.probe(input);
    if (routes) await route(input);
    const added = await parts.addons(input);
    // Add-ons may contain Services.
    if (services) await balance(input);
    return added;
  };
  return { ...parts, workload, workloadWhileUnready: workload, workloadAfterFailure: workload };
};
