import { describeAwsError } from '../../../../shared/aws/errors.ts';
import type { Clock } from '../../../../shared/clock.ts';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import type { MachineRef } from '../../../../shared/work/payloads.ts';
import { machineKey } from '../../../machine/read-machine.ts';

interface Reporting {
  objects: ObjectClient;
  clock: Clock;
}

/** Records in the Machine's condition Deleting for what the removal of its instance waits. */
export const reportWaiting = async ({ objects, clock }: Reporting, ref: MachineRef, why: string): Promise<void> => {
  const message = `Waiting for AWSMachine to be deleted: ${why}`;
  const deleting = { type: 'Deleting', status: 'True', reason: 'WaitingForInfrastructureDeletion', message } as const;
  await objects.mutate(kinds.machine, machineKey(ref), (current) =>
    current.metadata.uid === ref.uid ? withObservation(current, { deleting }, clock.now()) : undefined,
  );
};

/** Records the error of a call without which the machine cannot be removed. */
export const reportRefusal = (deps: Reporting, ref: MachineRef, error: unknown): Promise<void> =>
  reportWaiting(deps, ref, describeAwsError(error));
