/**
 * The parts from which every handler.ts composes its steps. A handler that opens Secrets uses makeSealedRuntime
 * (functions/sealed-runtime.ts), which keeps the Encryption SDK out of all other bundles.
 */
import { createDynamoDbClient } from '../shared/aws/clients/dynamodb.ts';
import { createSfnClient } from '../shared/aws/clients/sfn.ts';
import type { Turns } from '../shared/aws/pace/turns.ts';
import { type Clock, systemClock, systemDeadline } from '../shared/clock.ts';
import { type ConfigKey, ENV, readConfig, readReach } from '../shared/config.ts';
import { makeConversionCall } from '../shared/extensions/webhook.ts';
import type { Catalog } from '../shared/kube-api/custom/catalog.ts';
import type { OwnerIndex } from '../shared/kube-api/garbage/owner-index.ts';
import { withQuotas } from '../shared/kube-api/quota/quota-storage.ts';
import type { Registry } from '../shared/kube-api/registry/registry.ts';
import type { ObjectClient } from '../shared/kube-api/storage/client.ts';
import { createObjectClient } from '../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../shared/kube-api/storage/storage.ts';
import { type ContractKinds, contractKindsOf, type OutsideKinds, outsideKindsOf } from '../shared/outside/kinds.ts';
import type { BrakeLimits } from '../shared/plan/drift/brake.ts';
import { type Random, systemRandom } from '../shared/random.ts';
import { createFindByGroup, type FindByGroup } from '../shared/store/indexes/group-index.ts';
import { createFindByInstance, type FindByInstance } from '../shared/store/indexes/instance-index.ts';
import { createOwnerIndex } from '../shared/store/indexes/owner-index.ts';
import { createFleetBrake, type FleetBrake } from '../shared/store/limits/fleet-brake.ts';
import { createQuotaUsage } from '../shared/store/limits/quota-usage.ts';
import { createReporterStore, type ReporterStore } from '../shared/store/limits/reporters.ts';
import { createTurns } from '../shared/store/limits/turns.ts';
import { createWatchSlots, type WatchSlots } from '../shared/store/limits/watch-slots.ts';
import { createDynamoStorage } from '../shared/store/objects/dynamo-storage.ts';
import type { Sealer } from '../shared/store/objects/sealer.ts';
import { withOutside } from '../shared/store/outside-client.ts';
import { createRecords, type Records } from '../shared/store/records/records.ts';
import { withMemory } from '../shared/store/records/remembering-client.ts';
import { createExecutions, createTouch, type Executions, type Touch } from '../shared/store/work/executions.ts';
import { createPledgeStore, type PledgeStore } from '../shared/store/work/pledges.ts';
import type { WorkStore } from '../shared/store/work/work.ts';
import { createWorkStore } from '../shared/store/work/work-store.ts';
import { createControllersRegistry } from './controllers-registry.ts';
import { NO_SEALER } from './no-sealer.ts';
import { type Observability, powertools } from './powertools.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of the variables that are set; `table` is always set. */
export type Config = Readonly<Partial<Record<ConfigKey, string>> & { table: string }>;

export interface Runtime extends Observability {
  config: Config;
  clock: Clock;
  random: Random;
  /** The storage behind `objects`, for the function that serves the API itself. */
  storage: Storage;
  /** Objects, with the records that controllers keep about them. */
  objects: ObjectClient;
  records: Records;
  /** The API servers of clusters that report changes. */
  reporters: ReporterStore;
  /** Owners and dependents. The registry behind `objects` updates them; the sweep collects what must be deleted. */
  owners: OwnerIndex;
  /** Deletes the objects that writes have left behind. */
  collectGarbage: Registry['collectGarbage'];
  findByInstance: FindByInstance;
  findByGroup: FindByGroup;
  /** Counts the open watches of all processes. */
  watchSlots: WatchSlots;
  work: WorkStore;
  /** Starts the workflows whose ARNs are in the environment; for any other it throws an Error with its name. */
  executions: Executions;
  touch: Touch;
  /** The kinds of external providers that are currently defined. */
  outsideKinds: OutsideKinds;
  /** The definitions of these kinds. */
  contractKinds: ContractKinds;
  /** Touches that must not be lost. */
  pledges: PledgeStore;
  /** Schedules calls to AWS after it has throttled some. */
  turns: Turns;
  /** Stops replacements if too much of the fleet looks broken. */
  fleetBrake(limits: BrakeLimits): FleetBrake;
}

const isSet = (environment: Environment) => (key: ConfigKey) => Boolean(environment[ENV[key]]?.trim());

const externalKinds = (catalog: Catalog): Pick<Runtime, 'outsideKinds' | 'contractKinds'> => {
  const current = () => catalog.current();
  return { outsideKinds: outsideKindsOf(current), contractKinds: contractKindsOf(current) };
};

const indexesOf = (
  access: Parameters<typeof createFindByGroup>[0],
): Pick<Runtime, 'findByInstance' | 'findByGroup'> => ({
  findByInstance: createFindByInstance(access),
  findByGroup: createFindByGroup(access),
});

/** Throws an Error that names WINDLASS_TABLE if it is not set. Nothing is called before the first use. */
export const makeRuntime = (environment: Environment, sealer: Sealer = NO_SEALER): Runtime => {
  const keys = (Object.keys(ENV) as ConfigKey[]).filter(isSet(environment));
  const config: Config = { ...readConfig(environment, keys), ...readConfig(environment, ['table']) };
  const [clock, random] = [systemClock, systemRandom];
  const observability = powertools();
  const client = createDynamoDbClient();
  const { table } = config;

  const storage = withQuotas(createDynamoStorage({ client, table, clock, random, sealer }), {
    usage: createQuotaUsage({ client, table, clock }),
    clock,
    onFailure: (error) => observability.log.warn('A quota counts too much for a while', { error: String(error) }),
  });
  const owners = createOwnerIndex({ client, table });
  const callConversion = makeConversionCall({ deadline: systemDeadline, reach: readReach(environment) });
  const ofRegistry = { storage, clock, random, ownership: { index: owners }, callConversion };
  const registry = createControllersRegistry(ofRegistry);
  const records = createRecords({ client, table, clock, random });
  const objects = withMemory(withOutside(createObjectClient(registry), registry.catalog), records);
  const find = indexesOf({ client, table });
  const watchSlots = createWatchSlots({ client, table, clock, random, log: observability.log });
  const work = createWorkStore({ client, table, clock });
  const executions = createExecutions({
    sfn: createSfnClient(),
    convergeArn: config.convergeCluster,
    provisionArn: config.provisionMachine,
    removeArn: config.removeMachine,
    poolArn: config.convergePool,
  });
  const touch = createTouch({ work, executions });
  const pledges = createPledgeStore({ client, table, clock, random });
  const turns = createTurns({ client, table, clock });
  const fleetBrake = (limits: BrakeLimits) => createFleetBrake({ client, table, clock, limits });
  const { collectGarbage } = registry;
  const external = externalKinds(registry.catalog);
  const made = { objects, ...external, records, owners, collectGarbage, ...find, watchSlots, work, executions };
  const reporters = createReporterStore({ client, table });
  return { config, clock, random, ...observability, storage, ...made, reporters, touch, pledges, turns, fleetBrake };
};
