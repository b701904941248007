import { describeAwsError } from '../../../../shared/aws/errors.ts';
import type { Cluster } from '../../../../shared/kinds/index.ts';
import { planInstanceDrift } from '../../../../shared/providers/aws/plan/drift/instances.ts';
import { planMaintenance } from '../../../../shared/providers/aws/plan/drift/maintenance.ts';
import { stateFinding } from '../../../../shared/providers/aws/plan/drift/state-finding.ts';
import { lookAt } from '../../../../shared/providers/aws/plan/drift/states.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import type { FleetPart, ProvidedFleet, Sight, SweepPort } from '../../sweep-port.ts';
import { type AwsFleet, ownFleet, ownMachine, reportsUnread } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import { makeImageLook } from './image-risks.ts';
import { deleteLateData } from './late-data.ts';
import { loadBalancerDrift } from './load-balancer-drift.ts';
import { networkDrift } from './network-drift.ts';
import { type AwsObservation, observeAccounts } from './observe.ts';
import { makePoolDrift } from './pool-drift.ts';
import { remedyOf } from './remedies.ts';
import { makeGroupResolver } from './resolve-groups.ts';
import { unknownIn } from './unknown-instances.ts';

/** Finds the clusters in an account and region in which something was changed outside Windlass. */
type PartLook = (
  deps: AwsSweepDependencies,
  fleet: AwsFleet,
  turn: ReadonlySet<string>,
  run: Bulkheads,
) => Promise<Cluster[]>;

const LOOKS: readonly PartLook[] = [networkDrift, loadBalancerDrift, deleteLateData];

/**
 * Changes outside Windlass in an account and region. Parts that could not be read do not prevent the comparison of the
 * others.
 */
const driftIn =
  (
    deps: AwsSweepDependencies,
    { scope, isPart }: Pick<AwsFleet, 'scope' | 'isPart'>,
    looks: readonly PartLook[],
  ): FleetPart['infrastructureDrift'] =>
  async (fleet, turn, run) => {
    const own: AwsFleet = { ...ownFleet(scope, fleet), isPart };
    const look = async (part: PartLook): Promise<Cluster[]> => {
      try {
        return await part(deps, own, turn, run);
      } catch (error) {
        deps.log.error('a part of a region could not be compared', {
          region: scope.region,
          reason: describeAwsError(error),
        });
        run.faults.push(error);
        return [];
      }
    };
    return (await Promise.all(looks.map(look))).flat();
  };

const sightOf = (deps: AwsSweepDependencies, observed: AwsObservation, fleet: ProvidedFleet): Sight => {
  const { accounts, unread, instances, scheduled, deletedSecrets } = observed;
  const states = new Map([...instances].map(([id, { state }]) => [id, state]));
  const resolve = makeGroupResolver(deps);
  const looks = [...LOOKS, makePoolDrift(deps, fleet), makeImageLook(instances)];
  return {
    parts: accounts.map(({ scope, clusters, machines }) => ({
      ...{ clusters, machines },
      infrastructureDrift: driftIn(deps, { scope, isPart: fleet.isPart }, looks),
    })),
    unread,
    reportsUnread,
    announcements: (known, now) => {
      const { give, withdraw } = planMaintenance([ownMachine(known)], scheduled, now);
      return { give: give.map(({ notice }) => notice), withdraw: withdraw.map(({ id }) => id) };
    },
    compareState: (known, now) => {
      const look = lookAt(ownMachine(known), { states, now });
      return look && { known, ...(look.finding ? { finding: stateFinding(look.finding) } : {}) };
    },
    differences: async (known) => {
      const drifts = planInstanceDrift([await resolve(ownMachine(known))], instances, deletedSecrets);
      return drifts.map((drift) => {
        const { kind, policy, message } = drift;
        const remedy = remedyOf(deps, drift);
        return { kind, policy, message, ...(remedy ? { remedy } : {}) };
      });
    },
    unknownInstances: unknownIn(deps, observed, fleet),
  };
};

/** Compares AWS with the table: instances, their scheduled events, networks and load balancers. */
export const makeSweepPort = (deps: AwsSweepDependencies): SweepPort => ({
  look: async (fleet: ProvidedFleet, run: Bulkheads) => sightOf(deps, await observeAccounts(deps, fleet, run), fleet),
});
