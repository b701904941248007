import { DONE, type Progress } from '../../../../shared/plan/machines/waiting.ts';

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
