import { expect, it } from 'vitest';
import type { MachineHealthCheck } from '../../kinds/index.ts';
import { triggerOf } from './trigger.ts';

const check = (triggerIf: object): MachineHealthCheck =>
  ({ spec: { remediation: { triggerIf } } }) as unknown as MachineHealthCheck;

it.each([
  { limit: { unhealthyLessThanOrEqualTo: 2 }, unhealthy: 2, allowed: true, remediations: 0 },
  { limit: { unhealthyLessThanOrEqualTo: 2 }, unhealthy: 1, allowed: true, remediations: 1 },
  { limit: { unhealthyLessThanOrEqualTo: 2 }, unhealthy: 3, allowed: false, remediations: 0 },
  // Rounded down, as upstream: 40 % of 9 machines are 3.
  { limit: { unhealthyLessThanOrEqualTo: '40%' }, unhealthy: 3, allowed: true, remediations: 0 },
  { limit: { unhealthyLessThanOrEqualTo: '40%' }, unhealthy: 4, allowed: false, remediations: 0 },
  { limit: {}, unhealthy: 9, allowed: true, remediations: 0 },
  { limit: { unhealthyInRange: '[2-4]' }, unhealthy: 1, allowed: false, remediations: 0 },
  { limit: { unhealthyInRange: '[2-4]' }, unhealthy: 2, allowed: true, remediations: 2 },
  { limit: { unhealthyInRange: '[2-4]' }, unhealthy: 4, allowed: true, remediations: 0 },
  { limit: { unhealthyInRange: '[2-4]' }, unhealthy: 5, allowed: false, remediations: 0 },
  { limit: { unhealthyInRange: '[2-2]' }, unhealthy: 2, allowed: true, remediations: 0 },
])('$unhealthy of 9 unhealthy machines under $limit: allowed $allowed, $remediations more', (row) => {
  const { allowed, remediations } = triggerOf(check(row.limit), 9, 9 - row.unhealthy);
  expect({ allowed, remediations }).toEqual({ allowed: row.allowed, remediations: row.remediations });
});

it('the trigger counts no more remediations than status can hold', () => {
  expect(triggerOf(check({ unhealthyLessThanOrEqualTo: 2 ** 33 }), 9, 9).remediations).toBe(2_147_483_647);
});

it('the trigger reports which limit forbids remediation', () => {
  expect(triggerOf(check({ unhealthyLessThanOrEqualTo: 1 }), 9, 7).message).toContain(
    'exceeds maxUnhealthy (total: 9, unhealthy: 2, maxUnhealthy: 1)',
  );
  expect(triggerOf(check({ unhealthyInRange: '[3-1]' }), 9, 7).message).toContain(
    'max value 1 cannot be less than min value 3',
  );
});
