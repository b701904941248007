import { DONE, FAILED } from '../../../shared/plan/machines/waiting.ts';
import type { AwaitResult, MachineInput } from '../../../shared/work/payloads.ts';
import type { StepContext } from '../../step.ts';
import { clusterOf, readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { type Awaited, lookAt, recordLook } from './look.ts';

const LEASE_SECONDS = 120;

/**
 * Checks once for the machine's node. If the node is not ready yet, adds the machine to those for which one execution
 * watches: this one (`watch`), or another, so that this one ends (`joined`). With `repeats`, this execution waits by
 * itself (`wait`).
 */
export const confirmNode =
  (deps: NodeDependencies) =>
  async ({ machine: ref, holder, repeats }: MachineInput, { log }: StepContext): Promise<AwaitResult> => {
    const { objects, work } = deps;
    const snapshot = await readMachine(objects, ref);
    if (!snapshot?.infrastructureMachine || snapshot.machine.metadata.deletionTimestamp) return FAILED;
    // An attempt whose answer was lost may have released the lease already: this one then acquires it again.
    const { acquired } = await work.beginMachine(ref, holder, LEASE_SECONDS);
    if (!acquired) return FAILED;
    const { cluster, machine } = snapshot;
    const own: Awaited = { ref, machine, read: async () => snapshot };
    const {
      judged: [look],
    } = await lookAt(deps, { cluster, machines: [own], log }, async (one, ask) => {
      const observation = await ask();
      return observation && recordLook(deps, one, { observation, cluster });
    });
    if (!look) return FAILED;
    if (look.state === 'settled') return DONE;
    if (look.isNews) await deps.touch(clusterOf(ref));
    const { waitSeconds } = look;
    if (repeats) return { progress: 'wait', waitSeconds };
    const joined = await work.joinNodeWatch(ref, holder, waitSeconds);
    // From now on, the machine only waits for its node, and a deletion need not wait for this execution.
    await work.releaseMachine(ref, holder);
    return { progress: joined === 'watching' ? 'watch' : 'joined', waitSeconds };
  };
