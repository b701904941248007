import type { Clock } from '../../../../shared/clock.ts';
import type { DrainPod } from '../../../../shared/plan/drain/facts.ts';
import { drainMessage } from '../../../../shared/plan/drain/message.ts';
import { nextLook } from '../../../../shared/plan/drain/pace.ts';
import { type DrainOutcome, type DrainPlan, isDrained, planDrain } from '../../../../shared/plan/drain/plan.ts';
import { isDrainWanted } from '../../../../shared/plan/drain/stages.ts';
import type { WorkloadClient } from '../../../../shared/workload/client.ts';
import type { DrainApi } from '../../../../shared/workload/drain.ts';
import { recorder } from '../reasons.ts';
import { whyNot } from './drain-error.ts';
import { begin, type Look, report, type Stage, startOf, withWorkload } from './look.ts';
import { ownNode } from './own-node.ts';
import { readVerdicts } from './pods.ts';

/** The time for evictions in one check; the next check continues. */
const EVICTION_SECONDS = 10;
const OUT_OF_TIME = `eviction timeout of ${EVICTION_SECONDS}s reached, eviction will be retried`;

/** Evicts the due pods one after the other, because each eviction may use up a budget that the next one needs. */
const evictPods = async (
  drain: DrainApi,
  { evict, leaving, ...rest }: DrainPlan,
  clock: Clock,
  graceSeconds?: number,
): Promise<DrainOutcome> => {
  const until = clock.now().getTime() + EVICTION_SECONDS * 1000;
  const gone: DrainPod[] = [...leaving];
  const refused = new Map<string, DrainPod[]>();
  const refuse = (why: string, pod: DrainPod) => refused.set(why, [...(refused.get(why) ?? []), pod]);
  for (const pod of evict) {
    if (clock.now().getTime() >= until) {
      refuse(OUT_OF_TIME, pod);
      continue;
    }
    const answer = await drain.evict(pod, graceSeconds);
    if (answer.outcome === 'evicted') gone.push(pod);
    if (answer.outcome === 'refused') refuse(answer.why, pod);
  }
  return { ...rest, leaving: gone, refused };
};

const START = 'nodeDrainStartTime';

/**
 * An unresponsive kubelet never ends its pods, so they get a second to terminate and are ignored soon after.
 * PodDisruptionBudgets still apply.
 */
const SILENT_SECONDS = 1;

/** Cordons the node and evicts its pods. Undefined if no pod is left, or if the node itself is gone. */
const drain = async (look: Look, client: WorkloadClient, nodeName: string): Promise<DrainOutcome | undefined> => {
  const node = await ownNode(look, client, nodeName);
  if (!node) return undefined;
  if (!node.unschedulable) await client.drain.cordon(nodeName);
  const grace = node.unreachable ? SILENT_SECONDS : undefined;
  const plan = planDrain(await readVerdicts(look, client.drain, nodeName, grace));
  const outcome = await evictPods(client.drain, plan, look.deps.clock, grace);
  return isDrained(outcome) ? undefined : outcome;
};

/** Drains the machine's node, unless the drain is excluded or its time is over. */
export const drainStage: Stage = async (look) => {
  const { deps, snapshot } = look;
  if (!isDrainWanted(look.machine, snapshot.infrastructureMachine?.object ?? null, deps.clock.now())) return undefined;
  const nodeName = look.machine.status?.nodeRef?.name ?? '';
  // Recorded before anything is evicted, so that the timeout is counted from here in any case.
  if (!look.machine.status?.deletion?.[START]) await begin(look, START);
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
    const message = `error draining Machine's node "${nodeName}": ${why}`;
    await recorder(deps).warning(look.machine, 'FailedDrainNode', message);
    return wait(`Error draining Node: ${why}`);
  }
  if (!look.machine.status?.deletion?.waitForNodeVolumeDetachStartTime) {
    const message = `success draining Machine's node "${nodeName}"`;
    await recorder(deps).normal(look.machine, 'SuccessfulDrainNode', message);
  }
  return undefined;
};
