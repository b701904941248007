import { kinds, type Namespace } from '../../shared/kinds/index.ts';
import type { DriftDependencies } from './dependencies.ts';
import { isHourly } from './left-over/hourly.ts';
import { isIn } from './shards.ts';

/** A condition of a Namespace: whether the sweep skips it because it takes too much memory. False is good. */
export const PASSED_OVER = 'windlass.dev/PassedOver';

export const isPassedOver = ({ status }: Namespace): boolean =>
  status?.conditions?.some(({ type, status: says }) => type === PASSED_OVER && says === 'True') === true;

/** The namespaces that a sweep reads or skips. */
export interface Namespaces {
  /** The namespaces of this shard that are read. */
  readonly own: readonly Namespace[];
  /** The names of the namespaces in all shards that are not read. */
  readonly leftOut: readonly string[];
}

/**
 * A namespace that an earlier sweep has skipped is read again once an hour. Reading it more often would cost the reads
 * up to the limit and seldom show anything new.
 */
export const readNamespaces = async (
  deps: Pick<DriftDependencies, 'objects' | 'shard' | 'clock' | 'sweepMinutes'>,
): Promise<Namespaces> => {
  const all = await deps.objects.survey(kinds.namespace);
  return {
    own: all.filter(({ metadata }) => isIn(metadata.name, deps.shard)),
    leftOut: isHourly(deps) ? [] : all.filter(isPassedOver).map(({ metadata }) => metadata.name),
  };
};
