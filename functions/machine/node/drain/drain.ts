import { recordEvent } from '../../../../shared/events/record.ts';
import { drainMessage, drainTitle } from '../../../../shared/plan/drain/message.ts';
import { nextLook } from '../../../../shared/plan/drain/pace.ts';
import { type DrainOutcome, isDrained, planDrain } from '../../../../shared/plan/drain/plan.ts';
import { isDrainWanted } from '../../../../shared/plan/drain/stages.ts';
import type { WorkloadClient } from '../../../../shared/workload/client.ts';
import { whyNot } from './drain-error.ts';
import { evictPods } from './evict.ts';
import { type Look, report, type Stage, startOf, withWorkload } from './look.ts';
import { readVerdicts } from './pods.ts';

const START = 'nodeDrainStartTime';

/**
 * A silent kubelet never ends its pods, so they get a second to go and are given up soon after. PodDisruptionBudgets
 * hold all the same.
 */
const SILENT_SECONDS = 1;

/** Cordons the node and evicts what has to go. Undefined: nothing is left, or the node itself is gone. */
const drain = async (look: Look, client: WorkloadClient, nodeName: string): Promise<DrainOutcome | undefined> => {
  const node = await client.drain.node(nodeName);
  if (!node) return undefined;
  if (!node.unschedulable) await client.drain.cordon(nodeName);
  const grace = node.unreachable ? SILENT_SECONDS : undefined;
  const plan = planDrain(await readVerdicts(look, client.drain, nodeName, grace));
  const outcome = await evictPods(client.drain, plan, look.deps.clock, grace);
  return isDrained(outcome) ? undefined : outcome;
};

const tell = ({ deps, machine }: Look, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> =>
  recordEvent(deps.objects, { regarding: machine, type, reason, message, component: 'machine-node' }, deps.clock);

/** Empties the machine's node of its pods, unless somebody excluded that or the time for it is over. */
export const drainStage: Stage = async (look) => {
  const { deps, snapshot } = look;
  if (!isDrainWanted(look.machine, snapshot.infrastructureMachine?.object ?? null, deps.clock.now())) return undefined;
  const nodeName = look.machine.status?.nodeRef?.name ?? '';
  // Before anything is evicted, so that the time for it counts from here whatever comes.
  if (!look.machine.status?.deletion?.[START]) {
    await report(look, START, { reason: 'DrainingNode', message: drainTitle(startOf(look, START)) });
  }
  const startedAt = startOf(look, START);
  const wait = async (message: string) => {
    await report(look, START, { reason: 'DrainingNode', message });
    return nextLook(startedAt, look.machine.spec.deletion?.nodeDrainTimeoutSeconds, deps.clock.now());
  };
  try {
    const outcome = await withWorkload(look, (client) => drain(look, client, nodeName));
    if (outcome) return wait(drainMessage(outcome, startedAt));
  } catch (error) {
    const why = whyNot(error);
    if (why === undefined) throw error;
    await tell(look, 'Warning', 'FailedDrainNode', `error draining Machine's node "${nodeName}": ${why}`);
    return wait(`Error draining Node: ${why}`);
  }
  if (!look.machine.status?.deletion?.waitForNodeVolumeDetachStartTime) {
    await tell(look, 'Normal', 'SuccessfulDrainNode', `success draining Machine's node "${nodeName}"`);
  }
  return undefined;
};
