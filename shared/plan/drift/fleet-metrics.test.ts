import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { fleetMetrics } from './fleet-metrics.ts';

const NOW = new Date('2026-01-10T00:00:00Z');
const machine = (phase?: string, certificatesExpiryDate?: string) =>
  ({ metadata: { name: 'm' }, status: { phase, certificatesExpiryDate } }) as Machine;

it('fleetMetrics counts machines by phase and finds the certificate that expires first', () => {
  const machines = [
    machine('Running', '2026-02-09T12:00:00Z'),
    machine('Running', '2027-01-01T00:00:00Z'),
    machine('Failed'),
    machine(),
  ];
  expect(fleetMetrics(machines, NOW)).toEqual({ phases: { Running: 2, Failed: 1, Pending: 1 }, certificateDays: 30 });
});

it('fleetMetrics has no expiry without a certificate, and negative days after an expiry', () => {
  expect(fleetMetrics([], NOW)).toEqual({ phases: {}, certificateDays: undefined });
  expect(fleetMetrics([machine('Running', '2026-01-08T00:00:00Z')], NOW).certificateDays).toBe(-2);
});
