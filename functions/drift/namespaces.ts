import { kinds, type Namespace } from '../../shared/kinds/index.ts';
import type { DriftDependencies } from './dependencies.ts';
import { isHourly } from './left-over/hourly.ts';
import { isIn } from './shards.ts';

/** Ours, of a Namespace: whether the sweep leaves it out because it takes too much memory. Good when False. */
export const PASSED_OVER = 'windlass.dev/PassedOver';

export const isPassedOver = ({ status }: Namespace): boolean =>
  status?.conditions?.some(({ type, status: says }) => type === PASSED_OVER && says === 'True') === true;

/** The namespaces of a sweep. */
export interface Namespaces {
  /** Of this part of the fleet. */
  readonly own: readonly Namespace[];
  /** Of all parts: names of those that are not read. */
  readonly leftOut: readonly string[];
}

/**
 * What an earlier sweep has skipped is read again once an hour. In between it would cost the reads up to the limit,
 * and show nothing new most of the time.
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
