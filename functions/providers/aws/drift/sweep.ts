import { describeAwsError } from '../../../../shared/aws/errors.ts';
import type { AWSCluster, Cluster } from '../../../../shared/kinds/index.ts';
import { planInstanceDrift, unknownInstances } from '../../../../shared/providers/aws/plan/drift/instances.ts';
import { planMaintenance } from '../../../../shared/providers/aws/plan/drift/maintenance.ts';
import { stateFinding } from '../../../../shared/providers/aws/plan/drift/state-finding.ts';
import { lookAt } from '../../../../shared/providers/aws/plan/drift/states.ts';
import type { PlacedCluster } from '../../../../shared/providers/infrastructure.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import type { FleetPart, ProvidedFleet, Sight, SweepPort, UnknownInstance } from '../../sweep-port.ts';
import { type AwsFleet, ownFleet, ownMachine, reportsUnread } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import { makeImageLook } from './image-risks.ts';
import { deleteLateSecrets } from './late-secrets.ts';
import { loadBalancerDrift } from './load-balancer-drift.ts';
import { networkDrift } from './network-drift.ts';
import { type AwsObservation, observeAccounts } from './observe.ts';
import { makePoolDrift } from './pool-drift.ts';
import { remedyOf } from './remedies.ts';
import { makeGroupResolver } from './resolve-groups.ts';

/** Finds the clusters in an account and region in which something was changed outside Windlass. */
type PartLook = (
  deps: AwsSweepDependencies,
  fleet: AwsFleet,
  turn: ReadonlySet<string>,
  run: Bulkheads,
) => Promise<Cluster[]>;

const LOOKS: readonly PartLook[] = [networkDrift, loadBalancerDrift, deleteLateSecrets];

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

const nameOf = ({ cluster: { metadata } }: PlacedCluster) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** Terminating an etcd member before it is removed from etcd could cost the quorum. */
const MAY_BE_A_MEMBER =
  'it is never terminated automatically, because it may be a member of etcd: remove it from etcd first';

/** The instances with the tags of these clusters that belong to no machine, and how to terminate them. */
const unknownIn = (
  deps: AwsSweepDependencies,
  { instances, accounts, unread }: AwsObservation,
  { machineUids }: ProvidedFleet,
): Sight['unknownInstances'] => {
  const machines = [...accounts, ...unread].flatMap((account) => account.machines.map(ownMachine));
  const launched = machines.filter(({ infrastructure }) => infrastructure.spec.instanceID);
  const instanceIds = new Set(launched.map(({ infrastructure }) => infrastructure.spec.instanceID ?? ''));
  const launchedUids = new Set(launched.map(({ machine }) => machine.metadata.uid ?? ''));
  return (placed, now) => {
    const facts = { clusters: placed.map(nameOf), instanceIds, machineUids, launchedUids, now };
    return unknownInstances(instances, facts).flatMap(
      ({ instanceId, cluster, machine, isControlPlane }): UnknownInstance[] => {
        const at = placed.find(
          ({ cluster: { metadata } }) => metadata.namespace === cluster.namespace && metadata.name === cluster.name,
        );
        if (!at) return [];
        const message = `instance ${instanceId} has the tags of this cluster and of machine ${machine}, but no Machine uses it`;
        if (isControlPlane) return [{ cluster, message: `${message}; ${MAY_BE_A_MEMBER}` }];
        const call = async () => {
          await deps.repairs(await deps.scopeOf(at.infrastructure as AWSCluster)).terminate(instanceId);
          return `Terminated instance ${instanceId}, which has the tags of this cluster and which no Machine uses`;
        };
        return [{ cluster, message, terminate: { reason: 'TerminateUnknownInstance', call } }];
      },
    );
  };
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
