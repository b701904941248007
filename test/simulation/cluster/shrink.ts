/** Reduces a scenario with violations to the happenings that cause them. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { play, type Scenario } from './play.ts';

/** Removes the happenings one by one, as long as there are still violations. */
export const shrink = async (applied: readonly KubeObject[], broken: Scenario): Promise<Scenario> => {
  let least = broken;
  for (const happening of broken.course.happenings) {
    const happenings = least.course.happenings.filter((one) => one !== happening);
    const tried = await play(applied, broken.seed, broken.changes, { ...least.course, happenings });
    if (tried.breaches.length > 0) least = tried;
  }
  return least;
};
