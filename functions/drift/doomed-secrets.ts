import { describeAwsError, isDenied } from '../../shared/aws/errors.ts';
import { awaitedSecrets } from '../../shared/plan/drift/bootstrap-secret.ts';
import type { DoomedByMachine, PlacedMachine } from '../../shared/plan/drift/instances.ts';
import { identityOf } from '../../shared/plan/ownership/instance.ts';
import { mapConcurrently } from '../../shared/store/concurrency.ts';
import type { DriftDependencies } from './dependencies.ts';
import type { Fleet } from './fleets.ts';

const CONCURRENCY = 5;

/** So many machines of a region are looked at in a sweep, the longest waiting first: the others have their turn later. */
const MOST = 50;

const byAge = ({ machine: left }: PlacedMachine, { machine: right }: PlacedMachine): number =>
  (left.metadata.creationTimestamp ?? '') < (right.metadata.creationTimestamp ?? '') ? -1 : 1;

/**
 * What machines that have not joined wait for in vain. No call where every machine has its node. Where we may not look,
 * that is said in the log alone. Throws what else Secrets Manager answers.
 */
export const findDoomedSecrets = async (
  { secrets, clock, log }: Pick<DriftDependencies, 'secrets' | 'clock' | 'log'>,
  { scope, machines }: Pick<Fleet, 'scope' | 'machines'>,
): Promise<DoomedByMachine> => {
  const now = clock.now();
  const waiting = machines
    .toSorted(byAge)
    .map(({ machine, ...known }) => ({ machine, names: awaitedSecrets({ machine, ...known }, now) }))
    .filter(({ names }) => names.length > 0)
    .slice(0, MOST);
  if (waiting.length === 0) return new Map();
  const port = secrets(scope);
  try {
    const found = await mapConcurrently(waiting, CONCURRENCY, async ({ machine, names }) => {
      const owner = identityOf(machine);
      const doomed = await Promise.all(names.map(async (name) => ((await port.isDoomed(name, owner)) ? [name] : [])));
      return [machine.metadata.uid ?? '', doomed.flat()] as const;
    });
    return new Map(found);
  } catch (error) {
    if (!isDenied(error)) throw error;
    log.warn('the bootstrap data of waiting machines could not be looked at', { reason: describeAwsError(error) });
    return new Map();
  }
};
