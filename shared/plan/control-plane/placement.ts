import type { Machine } from '../../kinds/index.ts';
import { isDeleting } from './preflight.ts';

const countIn = (domain: string, machines: readonly Machine[]): number =>
  machines.filter(({ spec }) => spec.failureDomain === domain).length;

/** Oldest first; by name if they were created in the same second. */
export const byAge = (a: Machine, b: Machine): number =>
  (Date.parse(a.metadata.creationTimestamp ?? '') || 0) - (Date.parse(b.metadata.creationTimestamp ?? '') || 0) ||
  (a.metadata.name < b.metadata.name ? -1 : 1);

/**
 * The failure domain for a new machine: the one with the fewest remaining machines, then the one with the fewest in
 * total, then the first by name. Undefined if the cluster has none. `staying`: machines that are up to date and not
 * being deleted.
 */
export const emptiestDomain = (
  domains: readonly string[],
  machines: readonly Machine[],
  staying: readonly Machine[],
): string | undefined =>
  [...domains].sort(
    (a, b) =>
      countIn(a, staying) - countIn(b, staying) || countIn(a, machines) - countIn(b, machines) || (a < b ? -1 : 1),
  )[0];

/**
 * Which of the `eligible` machines is deleted: one in a failure domain that the cluster no longer has; otherwise one in
 * the domain with the most eligible machines, then with the most machines in total. Within a domain, it is the oldest.
 */
export const machineToGo = (
  domains: readonly string[],
  machines: readonly Machine[],
  eligible: readonly Machine[],
): Machine | undefined => {
  const sorted = [...eligible].sort(byAge);
  const stray = sorted.find(({ spec }) => !domains.includes(spec.failureDomain ?? ''));
  if (stray) return sorted.find(({ spec }) => spec.failureDomain === stray.spec.failureDomain);
  const fullest = [...domains].sort(
    (a, b) =>
      countIn(b, eligible) - countIn(a, eligible) || countIn(b, machines) - countIn(a, machines) || (a < b ? -1 : 1),
  )[0];
  return sorted.find(({ spec }) => spec.failureDomain === fullest);
};

/** The machines that are neither being deleted nor outdated. */
export const stayingOf = (machines: readonly Machine[], outdated: ReadonlySet<string>): Machine[] =>
  machines.filter((machine) => !isDeleting(machine) && !outdated.has(machine.metadata.name));
