/**
 * Machines that report an earlier state of their infrastructure. The two objects are written one after the other: a
 * function that ends between the two writes, or that continues after another one has taken over, leaves the Machine
 * outdated.
 */
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { isOutdated, withObservation } from '../../../shared/plan/machines/status.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import type { PlacedMachine } from '../../providers/sweep-port.ts';
import type { DriftDependencies } from '../dependencies.ts';
import type { SeenPart } from '../fleet/observe.ts';
import type { SweepRun } from '../run.ts';

/** Until a machine has its first node, its own execution writes both objects. */
const isSettled = ({ machine, infrastructure, cluster }: PlacedMachine): boolean =>
  machine.status?.nodeRef !== undefined &&
  machine.metadata.deletionTimestamp === undefined &&
  infrastructure.metadata.deletionTimestamp === undefined &&
  !isPaused(cluster);

/**
 * Writes the current state of the infrastructure to the Machine. Costs one read and one write for each outdated
 * Machine, and nothing otherwise. Returns the clusters that need a pass.
 */
export const updateOutdatedMachines = async (
  { objects, clock }: Pick<DriftDependencies, 'objects' | 'clock'>,
  parts: readonly SeenPart[],
  run: SweepRun,
): Promise<Cluster[]> => {
  const outdated = parts.flatMap(({ provider, machines }) =>
    machines
      .filter((known) => isSettled(known) && isOutdated(known.machine, known.infrastructure))
      .map((known) => ({ ...known, provider })),
  );
  await run.pledge(outdated.map(({ cluster }) => cluster));
  const updated = await run.each(
    'update its report',
    outdated,
    async ({ machine, infrastructure, cluster, provider }) => {
      const { namespace = '', name, uid } = machine.metadata;
      const current = await objects.get(provider.machine, { namespace, name: infrastructure.metadata.name });
      if (current === undefined || current.metadata.uid !== infrastructure.metadata.uid) return [];
      const seen = { infrastructure: current, zone: provider.instance(current).zone };
      let isWritten = false;
      await objects.mutate(kinds.machine, { namespace, name }, (known) => {
        isWritten = known.metadata.uid === uid && isOutdated(known, current);
        return isWritten ? withObservation(known, seen, clock.now()) : undefined;
      });
      return isWritten ? [cluster] : [];
    },
  );
  return updated.flat();
};
