/** Reduces a storm with violations to the faults that cause them. */
import type { Fault } from '../faults/kinds.ts';
import type { Job, Played } from './jobs.ts';

/** Drops the faults one by one, as long as `play` still finds violations. */
export const shrink = async (broken: Played, play: (job: Job) => Promise<Played>): Promise<Played> => {
  let least = broken;
  for (const fault of broken.job.faults ?? []) {
    const faults: Fault[] = (least.job.faults ?? []).filter((one) => one !== fault);
    const tried = await play({ ...least.job, faults });
    if (tried.breaches.length > 0) least = { ...tried, job: { ...least.job, faults } };
  }
  return least;
};
