import type { Clock } from '../../../../shared/clock.ts';
import type { DrainPod } from '../../../../shared/plan/drain/facts.ts';
import type { DrainOutcome, DrainPlan } from '../../../../shared/plan/drain/plan.ts';
import type { DrainApi } from '../../../../shared/workload/drain.ts';

/** One look evicts for so long; what is left is for the next. */
const EVICTION_SECONDS = 10;
const OUT_OF_TIME = `eviction timeout of ${EVICTION_SECONDS}s reached, eviction will be retried`;

/** Evicts what is to be evicted now, one after the other, as each eviction may use up a budget of the next. */
export const evictPods = async (
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
