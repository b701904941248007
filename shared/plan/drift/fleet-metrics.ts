import type { Machine } from '../../kinds/index.ts';

/** The figures of a fleet. */
export interface FleetMetrics {
  /** Machines by phase. */
  phases: Record<string, number>;
  /** Days until the first certificate expires, negative if one has expired; undefined if none is known. */
  certificateDays: number | undefined;
}

const DAY_MILLISECONDS = 86_400_000;

export const fleetMetrics = (machines: readonly Machine[], now: Date): FleetMetrics => {
  const phases: Record<string, number> = {};
  for (const { status } of machines) {
    const phase = status?.phase ?? 'Pending';
    phases[phase] = (phases[phase] ?? 0) + 1;
  }
  const dates = machines
    .flatMap(({ status }) => (status?.certificatesExpiryDate ? [Date.parse(status.certificatesExpiryDate)] : []))
    .filter(Number.isFinite);
  const certificateDays =
    dates.length === 0 ? undefined : Math.floor((Math.min(...dates) - now.getTime()) / DAY_MILLISECONDS);
  return { phases, certificateDays };
};
