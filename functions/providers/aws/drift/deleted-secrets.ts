import { describeAwsError, isDenied } from '../../../../shared/aws/errors.ts';
import { inFairOrder } from '../../../../shared/kube-api/garbage/fair-order.ts';
import { awaitedSecrets } from '../../../../shared/providers/aws/plan/drift/bootstrap-secret.ts';
import type { PlacedMachine } from '../../../../shared/providers/aws/plan/drift/difference.ts';
import type { DeletedSecretsByMachine } from '../../../../shared/providers/aws/plan/drift/instances.ts';
import { identityOf, type MachineIdentity } from '../../../../shared/providers/aws/plan/ownership/instance.ts';
import type { Bulkheads } from '../../../bulkheads.ts';
import type { AwsFleet } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';

/**
 * The number of a region's machines that are checked per sweep, of each namespace in turn: machines that never join
 * must not keep those of other namespaces waiting. Later sweeps begin with others.
 */
const MOST = 50;

const namespaceOf = ({ machine }: PlacedMachine): string => machine.metadata.namespace ?? '';

/**
 * Deleted bootstrap data for which machines still wait. Makes no call if every machine has its node. A missing
 * permission is only logged.
 */
export const findDeletedSecrets = async (
  { secrets, clock, log }: Pick<AwsSweepDependencies, 'secrets' | 'clock' | 'log'>,
  { scope, machines }: Pick<AwsFleet, 'scope' | 'machines'>,
  bulkheads: Bulkheads,
): Promise<DeletedSecretsByMachine> => {
  const now = clock.now();
  const awaited = await bulkheads.each('name its bootstrap data', machines, (known) => ({
    ...known,
    names: awaitedSecrets(known, now),
  }));
  const all = awaited.filter(({ names }) => names.length > 0);
  const waiting = inFairOrder(all, namespaceOf, now).slice(0, MOST);
  if (waiting.length === 0) return new Map();
  const port = secrets(scope);
  let denied: unknown;
  const isScheduledForDeletion = async (name: string, owner: MachineIdentity): Promise<string[]> => {
    if (denied !== undefined) return [];
    try {
      return (await port.isScheduledForDeletion(name, owner)) ? [name] : [];
    } catch (error) {
      if (!isDenied(error)) throw error;
      denied = error;
      return [];
    }
  };
  const found = await bulkheads.each('look at its bootstrap data', waiting, async ({ machine, names }) => {
    const deleted = await Promise.all(names.map((name) => isScheduledForDeletion(name, identityOf(machine))));
    return [machine.metadata.uid ?? '', deleted.flat()] as const;
  });
  if (denied === undefined) return new Map(found);
  log.warn('the bootstrap data of waiting machines could not be checked', { reason: describeAwsError(denied) });
  return new Map();
};
