import { describeAwsError } from '../../../../shared/aws/errors.ts';
import type { AWSMachine } from '../../../../shared/kinds/index.ts';
import type { ListedInstance } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import type { ScheduledEvent } from '../../../../shared/providers/aws/plan/drift/maintenance.ts';
import type { AwsScope } from '../../../../shared/providers/aws/scope.ts';
import { mapConcurrently } from '../../../../shared/store/concurrency.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import type { Fleet, ProvidedFleet, UnreadCluster } from '../../sweep-port.ts';
import { byAccount, isEstablished, ownFleet } from './accounts.ts';
import { findDeletedSecrets } from './deleted-secrets.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

/** The observed state of a fleet's accounts. */
export interface AwsObservation {
  /** The accounts that could be read, with the instances that EC2 lists there. */
  accounts: (Fleet & { scope: AwsScope; instances: ReadonlyMap<string, ListedInstance> })[];
  /** Clusters whose identity cannot be used. */
  unread: UnreadCluster[];
  /** The instances of all of them, including terminated ones, by instance id. */
  instances: Map<string, ListedInstance>;
  /** The events that EC2 has scheduled, by instance id. */
  scheduled: Map<string, readonly ScheduledEvent[]>;
  /** Missing data for which machines still wait because they have not joined, by the uid of the Machine. */
  deletedSecrets: Map<string, readonly string[]>;
}

/** The names of clusters, and the instances that their machines record. */
const namesIn = ({ clusters, machines }: Fleet): [clusters: string[], instanceIds: string[]] => [
  clusters.map(({ cluster }) => cluster.metadata.name),
  machines.flatMap(({ infrastructure }) => (infrastructure as AWSMachine).spec.instanceID ?? []),
];

/**
 * A user may name a region that does not exist or is not enabled. The network step reports that on the cluster, and
 * nothing in such a region can be overlooked.
 */
const noteUnread = (
  { log }: Pick<AwsSweepDependencies, 'log'>,
  account: Fleet & { scope: AwsScope },
  error: unknown,
  { faults }: Bulkheads,
): void => {
  const unread = { region: account.scope.region, reason: describeAwsError(error) };
  if (!isEstablished(account)) {
    log.warn('a region in which nothing was created could not be read', unread);
    return;
  }
  log.error('a region could not be read', unread);
  faults.push(error);
};

/** The number of accounts and regions that are listed at the same time: each has connections of its own. */
const ACCOUNTS_AT_ONCE = 50;

/**
 * Lists the accounts of a fleet. If an account or region does not respond, nothing is concluded about its machines, and
 * others are not affected. Its error is added to the faults of the bulkheads if any infrastructure was ever there.
 */
export const observeAccounts = async (
  deps: AwsSweepDependencies,
  fleet: ProvidedFleet,
  bulkheads: Bulkheads,
): Promise<AwsObservation> => {
  const { fleets, unread } = await byAccount(deps, fleet, bulkheads);
  const observed: AwsObservation = {
    accounts: [],
    unread,
    instances: new Map(),
    scheduled: new Map(),
    deletedSecrets: new Map(),
  };
  const { instances, scheduled, deletedSecrets } = observed;
  const seen = await mapConcurrently(fleets, ACCOUNTS_AT_ONCE, async (account) => {
    try {
      const port = deps.fleet(account.scope);
      const looks = [
        fleet.isPart ? port.describeInstancesOf(...namesIn(account)) : port.describeInstances(),
        port.scheduledEvents(),
        findDeletedSecrets(deps, ownFleet(account.scope, account), bulkheads),
      ] as const;
      const [listed, events, deleted] = await Promise.all(looks);
      for (const [uid, names] of deleted) deletedSecrets.set(uid, names);
      for (const [id, instance] of listed) instances.set(id, instance);
      for (const [id, planned] of events) scheduled.set(id, planned);
      return [{ ...account, instances: listed }];
    } catch (error) {
      noteUnread(deps, account, error, bulkheads);
      return [];
    }
  });
  return { ...observed, accounts: seen.flat() };
};
