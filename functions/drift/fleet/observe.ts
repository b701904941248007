import type { Machine } from '../../../shared/kinds/index.ts';
import type { Infrastructure } from '../../../shared/providers/infrastructure.ts';
import type { FleetPart, PlacedMachine, ProvidedFleet, Sight, UnreadCluster } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';
import { readFleets } from './fleets.ts';

/** A part of a fleet with its provider and the state of its cloud. */
export interface SeenPart extends FleetPart {
  readonly provider: Infrastructure;
  readonly sight: Sight;
}

/** The clusters of a provider whose cloud cannot be read, with their machines. */
export interface UnreadPart {
  readonly provider: Infrastructure;
  readonly clusters: readonly UnreadCluster[];
  readonly machines: readonly PlacedMachine[];
}

/** A machine with the snapshot of the cloud in which its instance was found. */
export interface SeenMachine extends PlacedMachine {
  readonly sight: Sight;
}

/** The contents of the table and the state of the clouds. */
export interface Observation {
  /** The namespaces whose clusters were observed, without those that the budget leaves out. */
  readonly namespaces: readonly string[];
  /** The parts that could be read. */
  readonly parts: readonly SeenPart[];
  /** The parts that could not be read because of their clusters' own objects. */
  readonly unread: readonly UnreadPart[];
  /** The machines of the parts that could be read. */
  readonly machines: readonly SeenMachine[];
  /** All machines in these namespaces that belong to a provider, including those in parts that could not be read. */
  readonly known: readonly Machine[];
}

/** The result for machines whose cloud is not read: there are no findings about them. */
const unseen = ({ clusters, machines }: ProvidedFleet): Sight => ({
  parts: [{ clusters, machines, infrastructureDrift: async () => [] }],
  announcements: () => ({ give: [], withdraw: [] }),
  compareState: () => undefined,
  differences: async () => [],
  unknownInstances: () => [],
});

export const machinesOf = (parts: readonly SeenPart[]): SeenMachine[] =>
  parts.flatMap(({ machines, sight }) => machines.map((known) => ({ ...known, sight })));

/**
 * The contents of the table and the state of the clouds. If a part of a cloud does not answer, nothing is concluded
 * about its machines, and its error is added to the faults of the bulkheads; other parts are not affected. Nothing is
 * concluded about namespaces that the budget leaves out either: they are treated like those of another shard.
 */
export const observeFleets = async (
  deps: DriftDependencies,
  all: readonly string[],
  run: SweepRun,
): Promise<Observation> => {
  const fleets = await readFleets(deps, all, run.budget);
  const namespaces = all.filter((name) => !run.budget.isLeftOut(name));
  const seen = await Promise.all(
    fleets.map(async ({ provider, fleet }) => {
      const sight = (await deps.providers[provider.name]?.look(fleet, run)) ?? unseen(fleet);
      const clusters = sight.unread ?? [];
      return {
        parts: sight.parts.map((part): SeenPart => ({ ...part, provider, sight })),
        unread: { provider, clusters, machines: clusters.flatMap(({ machines }) => machines) },
      };
    }),
  );
  const parts = seen.flatMap((one) => one.parts);
  const unread = seen.map((one) => one.unread).filter(({ clusters }) => clusters.length > 0);
  const known = fleets.flatMap(({ fleet }) => fleet.machines.map(({ machine }) => machine));
  return { namespaces, parts, unread, machines: machinesOf(parts), known };
};
