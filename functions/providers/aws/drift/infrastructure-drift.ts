import { describeAwsError } from '../../../../shared/aws/errors.ts';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import type { DriftDependencies } from '../../../drift/dependencies.ts';
import type { Fleet } from '../../../drift/fleets.ts';
import { nodeDrift } from '../../../drift/node-drift.ts';
import type { Observation } from '../../../drift/observe.ts';
import type { SweepRun } from '../../../drift/run.ts';
import { turnOf } from '../../../drift/turns.ts';
import { loadBalancerDrift } from './load-balancer-drift.ts';
import { networkDrift } from './network-drift.ts';

const LOOKS = [networkDrift, loadBalancerDrift, nodeDrift];

/**
 * The clusters whose infrastructure or nodes others have changed, so that a pass has something to repair or to say. What is to
 * be repaired the pass finds and repairs for itself. What could not be read is logged and put among the faults of the run.
 */
export const infrastructureDrift = async (
  deps: DriftDependencies,
  { fleets }: Pick<Observation, 'fleets'>,
  run: SweepRun,
): Promise<Cluster[]> => {
  const turn = turnOf(
    fleets.flatMap(({ clusters }) => clusters),
    deps,
  );
  const look = async (fleet: Fleet, part: (typeof LOOKS)[number]): Promise<Cluster[]> => {
    try {
      return await part(deps, fleet, turn, run);
    } catch (error) {
      deps.log.error('a part of a region could not be compared', {
        region: fleet.scope.region,
        reason: describeAwsError(error),
      });
      run.faults.push(error);
      return [];
    }
  };
  const found = await Promise.all(fleets.flatMap((fleet) => LOOKS.map((part) => look(fleet, part))));
  return found.flat();
};
