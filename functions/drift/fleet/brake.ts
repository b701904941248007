import { recordEvent } from '../../../shared/events/record.ts';
import type { PlacedCluster } from '../../../shared/providers/infrastructure.ts';
import { COMPONENT, type DriftDependencies } from '../dependencies.ts';
import type { SweepRun } from '../run.ts';
import type { Observation } from './observe.ts';

const MESSAGE =
  'Too many nodes of the installation are not ready at the same time. The machines are probably not the cause: until fewer nodes are affected, no health check replaces a machine, and the sweep repairs nothing (fleetBrake)';

/**
 * Stores what this sweep has seen of all nodes before it requests passes that would act on it, and reports on the
 * clusters of each namespace to which the brake starts to apply. True while it applies to any observed namespace.
 */
export const brake = async (
  { fleetBrake, objects, clock, log, shard }: DriftDependencies,
  { namespaces, parts, unread }: Pick<Observation, 'namespaces' | 'parts' | 'unread'>,
  run: SweepRun,
): Promise<boolean> => {
  if (!fleetBrake) return false;
  const summary = run.nodes();
  await fleetBrake.note(shard, summary);
  const holds = await fleetBrake.holds();
  const held = new Set(namespaces.filter(holds));
  if (held.size === 0) return false;
  log.warn('too many nodes are not ready at the same time, so nothing is replaced or repaired', { ...summary.all });
  const clusters = [...parts, ...unread]
    .flatMap((part): readonly PlacedCluster[] => part.clusters)
    .filter(
      ({ cluster: { metadata } }) => held.has(metadata.namespace ?? '') && !run.isBraked(metadata.namespace ?? ''),
    );
  await run.each('warn of the fleet brake', clusters, ({ cluster: regarding }) =>
    recordEvent(
      objects,
      { regarding, type: 'Warning', reason: 'FleetBraked', message: MESSAGE, component: COMPONENT },
      clock,
    ),
  );
  return true;
};
