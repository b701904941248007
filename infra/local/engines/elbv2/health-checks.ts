import type { Log } from '../../../../shared/log.ts';
import type { DataPlane } from './data-plane.ts';
import { probe } from './probe.ts';
import type { Target, TargetGroup } from './records.ts';
import type { Elb } from './state.ts';
import { afterCheck, liveTargets } from './target-health.ts';

/** Timeouts are not scaled below this: a busy laptop is not a dead target. */
const LEAST_TIMEOUT_MILLISECONDS = 2000;
const LEAST_INTERVAL_MILLISECONDS = 50;

const check = async (elb: Elb, dataPlane: DataPlane, group: TargetGroup, target: Target): Promise<void> => {
  const { healthCheck } = group;
  const port = healthCheck.port === 'traffic-port' ? target.port : Number(healthCheck.port);
  const endpoint = dataPlane.endpointOf(target.instanceId, port);
  const scaled = healthCheck.timeoutSeconds * 1000 * elb.settings.elbTimeScale;
  const timeout = Math.max(LEAST_TIMEOUT_MILLISECONDS, scaled);
  const passed = endpoint !== undefined && (await probe(endpoint, healthCheck, timeout));
  Object.assign(target, afterCheck(target, passed, healthCheck));
};

/**
 * Checks the targets of a group again and again until the group is gone or `signal` aborts. Each round begins one
 * interval after the round before has ended.
 */
export const runHealthChecks = async (
  elb: Elb,
  dataPlane: DataPlane,
  group: TargetGroup,
  signal: AbortSignal,
  log: Log,
): Promise<void> => {
  try {
    while (!signal.aborted && elb.targetGroups.has(group.arn)) {
      await Promise.all(liveTargets(elb, group).map((target) => check(elb, dataPlane, group, target)));
      const interval = group.healthCheck.intervalSeconds * 1000 * elb.settings.elbTimeScale;
      await elb.place.clock.sleep(Math.max(LEAST_INTERVAL_MILLISECONDS, interval), signal);
    }
  } catch (error) {
    if (!signal.aborted)
      log.error('the health checks of a target group ended', { group: group.arn, error: String(error) });
  }
};
