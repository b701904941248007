/**
 * The result of a step that may wait. `wait`: sleep for `waitSeconds` and check again. `failed`: a condition gives the
 * reason.
 */
export interface Progress {
  progress: 'done' | 'wait' | 'failed';
  /** Whole seconds, 0 unless `progress` is `wait`. Grows with the time already waited. */
  waitSeconds: number;
}

/**
 * The waits between checks of the same thing, in seconds, by how long it has been awaited: frequent at first, then
 * rare.
 */
const STEPS: readonly { until: number; wait: number }[] = [
  { until: 10, wait: 1 },
  { until: 30, wait: 2 },
  { until: 90, wait: 5 },
  { until: 300, wait: 10 },
  { until: Number.POSITIVE_INFINITY, wait: 20 },
];

/** How long to wait before the next check of something that has been awaited since `since`, an RFC 3339 time. */
export const waitFrom = (since: string | undefined, now: Date): Progress => {
  const start = Date.parse(since ?? '');
  const waited = Number.isNaN(start) ? 0 : (now.getTime() - start) / 1000;
  return { progress: 'wait', waitSeconds: STEPS.find(({ until }) => waited < until)?.wait ?? 20 };
};

const LONG_REMOVAL_SECONDS = 30 * 60;
const LONG_REMOVAL_WAIT_SECONDS = 60;

/**
 * How long to wait before the next check of infrastructure that has been in removal since `since`, an RFC 3339 time.
 * Like `waitFrom`, but once a minute after half an hour: a dedicated host of a Mac, or an instance that EC2 cannot shut
 * down, takes hours.
 */
export const waitForRemoval = (since: string | undefined, now: Date): Progress =>
  isOverdue(since, LONG_REMOVAL_SECONDS, now)
    ? { progress: 'wait', waitSeconds: LONG_REMOVAL_WAIT_SECONDS }
    : waitFrom(since, now);

/**
 * The limits for the wait between checks of something that has been awaited for a long time: a quarter of that time.
 */
const SHORTEST_REST_SECONDS = 300;
const LONGEST_REST_SECONDS = 2 * 60 * 60;

/**
 * How many seconds to wait for something that was not available within the usual time. A check costs the same whether
 * anything has changed or not, so checks become rare; the sweep reads nodes and starts one sooner.
 */
export const restFrom = (since: string | undefined, now: Date): number => {
  const start = Date.parse(since ?? '');
  const waited = Number.isNaN(start) ? 0 : (now.getTime() - start) / 1000;
  return Math.min(LONGEST_REST_SECONDS, Math.max(SHORTEST_REST_SECONDS, Math.round(waited / 4)));
};

/** Whether something that has been awaited since `since` has been awaited for longer than `seconds`. */
export const isOverdue = (since: string | undefined, seconds: number, now: Date): boolean => {
  const start = Date.parse(since ?? '');
  return !Number.isNaN(start) && now.getTime() - start > seconds * 1000;
};

export const DONE: Progress = { progress: 'done', waitSeconds: 0 };
export const FAILED: Progress = { progress: 'failed', waitSeconds: 0 };
