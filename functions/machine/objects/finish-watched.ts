import { isRetried, translateAwsError } from '../../../shared/aws/errors.ts';
import { withoutQuotes } from '../../../shared/decode/describe-error.ts';
import type { MachineInput, MachineName } from '../../../shared/work/payloads.ts';
import { clusterOf, readMachine } from '../read-machine.ts';
import { deleteBootstrapData, needsNoData } from './bootstrap-remains.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { machineRecorder } from './reasons.ts';

/**
 * Ends the provisioning of machines for whose nodes one execution has watched: removes bootstrap data that they did not
 * fetch, and the machines are not awaited any more. An error for one machine is reported on it and does not stop the
 * others.
 */
export const finishWatched =
  (deps: MachineObjectsDependencies) =>
  async ({ machine: ref, finished = [] }: MachineInput) => {
    const finishOne = async (name: MachineName): Promise<void> => {
      const snapshot = await readMachine(deps.objects, { ...ref, ...name });
      if (!snapshot || !needsNoData(snapshot)) return;
      try {
        await deleteBootstrapData(deps, snapshot);
      } catch (error) {
        if (isRetried(error)) throw error;
        const { name: reason, message } = withoutQuotes(translateAwsError(error));
        await machineRecorder(deps).warning(snapshot.machine, 'FailedProvision', `${reason}: ${message}`);
      }
    };
    const results = await Promise.allSettled(finished.map(finishOne));
    const fault = results.find((result) => result.status === 'rejected');
    if (fault) throw fault.reason;
    const uids = finished.map(({ uid }) => uid);
    await deps.work.leaveNodeWatch(clusterOf(ref), uids);
    return {};
  };
