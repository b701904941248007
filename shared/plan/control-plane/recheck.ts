import type { Machine } from '../../kinds/index.ts';

/** How long after a change of a condition a component is assumed to be starting. */
const STARTING_MILLISECONDS = 10 * 60_000;
const LEAST_SECONDS = 5;

/**
 * Seconds until control plane machines must be checked again because one of these conditions has not been True, for
 * less than ten minutes; undefined if there is none. A node may be Ready before kubeadm has labelled it and before its
 * static pods are reported, and no event announces that. The waits grow with the age of the condition: about a dozen
 * checks in all.
 */
export const secondsToRecheck = (
  machines: readonly Machine[],
  types: readonly string[],
  now: Date,
): number | undefined => {
  const ages = machines
    .flatMap(({ status }) => status?.conditions ?? [])
    .filter(({ type, status }) => types.includes(type) && status !== 'True')
    .map(({ lastTransitionTime }) => now.getTime() - Date.parse(lastTransitionTime ?? ''))
    .filter((age) => age < STARTING_MILLISECONDS);
  return ages.length === 0 ? undefined : Math.max(LEAST_SECONDS, Math.ceil(Math.min(...ages) / 2000));
};
