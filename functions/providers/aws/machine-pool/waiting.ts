import { DONE, isOverdue, type Progress } from '../../../../shared/plan/machines/waiting.ts';
import type { PoolAction } from '../../../../shared/providers/aws/machine-pool/model.ts';

/**
 * Seconds between checks of an incomplete group, depending on the time that it has been awaited: each check costs three
 * steps.
 */
const STEPS = [
  { until: 20, wait: 2 },
  { until: 120, wait: 5 },
  { until: 600, wait: 15 },
  { until: 3600, wait: 60 },
] as const;

/** The time of the next check. After an hour, the group's events and the sweep are sufficient. */
export const waitForGroup = (since: string | undefined, now: Date): Progress => {
  const start = Date.parse(since ?? '');
  const waited = Number.isNaN(start) ? 0 : (now.getTime() - start) / 1000;
  const step = STEPS.find(({ until }) => waited < until);
  return step ? { progress: 'wait', waitSeconds: step.wait } : DONE;
};

const SOON: Progress = { progress: 'wait', waitSeconds: 1 };

/** The time in which a plan normally becomes empty. */
const PLAN_SECONDS = 60;

/** Actions that others follow, and that are not repeated, because their results last. */
const FIRST: readonly PoolAction['do'][] = ['create-template', 'create-version', 'create-group'];

/**
 * The time of the next check after a complete group was changed: the rest of a plan depends on the results of the first
 * part. A plan that does not become empty, because an action has no effect or is undone, is checked as rarely as an
 * incomplete group.
 */
export const waitForRest = (actions: readonly PoolAction[], since: string | undefined, now: Date): Progress =>
  isOverdue(since, PLAN_SECONDS, now) && !actions.some((action) => FIRST.includes(action.do))
    ? waitForGroup(since, now)
    : SOON;
