import { isDeepStrictEqual } from 'node:util';
import type { Machine } from '../../../shared/kinds/index.ts';
import { PARKED } from '../../../shared/plan/drain/pace.ts';
import { isPaused } from '../../../shared/plan/status/cluster-claims.ts';
import type { MachineInput, ProgressResult } from '../../../shared/work/payloads.ts';
import { isMachinePaused } from '../../cluster/paused-parts.ts';
import { clusterOf, type MachineSnapshot, readMachineObject } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';

/** Whether a user has paused the removal of a machine: nothing of the machine may change then. */
export const isHeld = ({ machine, cluster, infrastructureMachine }: MachineSnapshot): boolean =>
  (cluster !== null && isPaused(cluster)) || isMachinePaused(machine, infrastructureMachine);

const annotationsOf = (machine: Machine | undefined) => machine?.metadata.annotations ?? {};

/**
 * Ends the execution and allows the next one to start at any time. A change while this execution held the lease has
 * triggered nothing, so the machine is read again.
 */
export const park = async (
  { objects, work, touch }: NodeDependencies,
  { machine: ref, holder }: MachineInput,
  seen: Machine,
): Promise<ProgressResult> => {
  await work.releaseMachine(ref, holder);
  const now = await readMachineObject(objects, ref);
  const isChanged = !isDeepStrictEqual(
    [annotationsOf(now), now?.spec.deletion],
    [annotationsOf(seen), seen.spec.deletion],
  );
  if (now && isChanged) await touch(clusterOf(ref), { isNews: true });
  return PARKED;
};
