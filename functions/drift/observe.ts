import { describeAwsError } from '../../shared/aws/errors.ts';
import type { ListedInstance, PlacedMachine } from '../../shared/providers/aws/plan/drift/difference.ts';
import type { ScheduledEvent } from '../../shared/providers/aws/plan/drift/maintenance.ts';
import type { Bulkheads } from '../providers/aws/bulkheads.ts';
import { findDeletedSecrets } from '../providers/aws/drift/deleted-secrets.ts';
import type { DriftDependencies } from './dependencies.ts';
import { type Fleet, readFleets } from './fleets.ts';

export interface Observation {
  /** Those that could be read. */
  fleets: Fleet[];
  /** The machines of these fleets. */
  machines: PlacedMachine[];
  machineUids: ReadonlySet<string>;
  /** Everything that EC2 lists, by instance id, terminated ones included. */
  instances: Map<string, ListedInstance>;
  /** What EC2 has scheduled, by instance id. */
  scheduled: Map<string, readonly ScheduledEvent[]>;
  /** What machines that have not joined wait for in vain. */
  deletedSecrets: Map<string, readonly string[]>;
}

/**
 * The table and the account. An account or region that does not answer says nothing about its machines, and nothing
 * about others: what it answered is among the faults of the bulkheads.
 */
export const observeFleet = async (deps: DriftDependencies, bulkheads: Bulkheads): Promise<Observation> => {
  const { fleets, machineUids } = await readFleets(deps, bulkheads);
  const instances: Observation['instances'] = new Map();
  const scheduled: Observation['scheduled'] = new Map();
  const deletedSecrets: Observation['deletedSecrets'] = new Map();
  const seen = await Promise.all(
    fleets.map(async (fleet): Promise<Fleet[]> => {
      try {
        const port = deps.fleet(fleet.scope);
        const looks = [
          port.describeInstances(),
          port.scheduledEvents(),
          findDeletedSecrets(deps, fleet, bulkheads),
        ] as const;
        const [listed, events, deleted] = await Promise.all(looks);
        for (const [uid, names] of deleted) deletedSecrets.set(uid, names);
        for (const [id, instance] of listed) instances.set(id, instance);
        for (const [id, planned] of events) scheduled.set(id, planned);
        return [fleet];
      } catch (error) {
        deps.log.error('a region could not be read', { region: fleet.scope.region, reason: describeAwsError(error) });
        bulkheads.faults.push(error);
        return [];
      }
    }),
  );
  const read = seen.flat();
  return {
    fleets: read,
    machines: read.flatMap(({ machines }) => machines),
    machineUids,
    instances,
    scheduled,
    deletedSecrets,
  };
};
