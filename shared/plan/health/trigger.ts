import type { MachineHealthCheck } from '../../kinds/index.ts';
import { scaledValue } from '../int-or-percent.ts';

/** Whether as many unhealthy machines may be remediated at once. */
export interface Trigger {
  allowed: boolean;
  /** How many more may become unhealthy before remediation stops. */
  remediations: number;
  /** Why it is not allowed. */
  message?: string;
}

/**
 * Takes precedence over what checks allow: so much of the fleet looks broken that the machines are probably not the
 * cause.
 */
export const BRAKED: Trigger = {
  allowed: false,
  remediations: 0,
  message:
    'Remediation is not allowed, because too many nodes of the installation are not ready at the same time (fleetBrake)',
};

/** The maximum value of `status.remediationsAllowed`: a check may allow more machines than there will ever be. */
const MAX_REMEDIATIONS = 2 ** 31 - 1;

const allowing = (remediations: number): Trigger => ({
  allowed: true,
  remediations: Math.min(remediations, MAX_REMEDIATIONS),
});

const RANGE = /^\[(\d+)-(\d+)\]$/;

/** `total`: machines that the check targets; `healthy`: those among them that are known to be healthy. */
export const triggerOf = ({ spec }: MachineHealthCheck, total: number, healthy: number): Trigger => {
  const { unhealthyInRange, unhealthyLessThanOrEqualTo: most = '100%' } = spec.remediation?.triggerIf ?? {};
  const unhealthy = total - healthy;
  return unhealthyInRange === undefined ? inLimit(most, total, unhealthy) : inRange(unhealthyInRange, total, unhealthy);
};

const inLimit = (most: number | string, total: number, unhealthy: number): Trigger => {
  const limit = scaledValue(most, total, Math.floor);
  if (unhealthy <= limit) return allowing(limit - unhealthy);
  const counts = `(total: ${total}, unhealthy: ${unhealthy}, maxUnhealthy: ${most})`;
  const message = `Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy ${counts}`;
  return { allowed: false, remediations: 0, message };
};

const inRange = (range: string, total: number, unhealthy: number): Trigger => {
  const [least = Number.NaN, most = Number.NaN] = (RANGE.exec(range) ?? []).slice(1).map(Number);
  if (most < least) {
    const message = `Remediation is not allowed, max value ${most} cannot be less than min value ${least} for unhealthyRange`;
    return { allowed: false, remediations: 0, message };
  }
  if (unhealthy >= least && unhealthy <= most) return allowing(most - unhealthy);
  const counts = `(total: ${total}, unhealthy: ${unhealthy}, unhealthyRange: ${range})`;
  const message = `Remediation is not allowed, the number of not started or unhealthy machines does not fall within the range ${counts}`;
  return { allowed: false, remediations: 0, message };
};
