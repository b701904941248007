import type { Log } from '../../../../shared/log.ts';
import type { DataPlane, Endpoint } from './data-plane.ts';
import { makeProber, type Prober } from './probe.ts';
import type { Target, TargetGroup } from './records.ts';
import type { Elb } from './state.ts';
import { afterCheck, liveTargets } from './target-health.ts';

/** Timeouts are never scaled below this, because a target on a busy laptop may be slow. */
const LEAST_TIMEOUT_MILLISECONDS = 2000;
const LEAST_INTERVAL_MILLISECONDS = 50;

/**
 * After this number of consecutive passed checks, a target is checked only in every fifth round, as long as its address
 * does not change.
 */
const STEADY_CHECKS = 10;
const STEADY_ROUNDS = 5;

interface Checks {
  elb: Elb;
  dataPlane: DataPlane;
  group: TargetGroup;
  prober: Prober;
  /** The address of each target at its last check. */
  places: WeakMap<Target, Endpoint>;
}

const isSteady = ({ streak }: Target): boolean => streak.passed && streak.count >= STEADY_CHECKS;

const check = async ({ elb, dataPlane, group, prober, places }: Checks, target: Target, round: number) => {
  const { healthCheck } = group;
  const port = healthCheck.port === 'traffic-port' ? target.port : Number(healthCheck.port);
  const endpoint = dataPlane.endpointOf(target.instanceId, port);
  if (isSteady(target) && endpoint === places.get(target) && round % STEADY_ROUNDS !== 0) return;
  const scaled = healthCheck.timeoutSeconds * 1000 * elb.settings.elbTimeScale;
  const timeout = Math.max(LEAST_TIMEOUT_MILLISECONDS, scaled);
  const passed = endpoint !== undefined && (await prober.probe(endpoint, healthCheck, timeout));
  if (endpoint) places.set(target, endpoint);
  Object.assign(target, afterCheck(target, passed, healthCheck));
};

/**
 * Checks the targets of a group repeatedly until the group is deleted or `signal` aborts. Each round begins one
 * interval after the end of the previous round.
 */
export const runHealthChecks = async (
  elb: Elb,
  dataPlane: DataPlane,
  group: TargetGroup,
  signal: AbortSignal,
  log: Log,
): Promise<void> => {
  const checks: Checks = { elb, dataPlane, group, prober: makeProber(), places: new WeakMap() };
  try {
    for (let round = 0; !signal.aborted && elb.targetGroups.has(group.arn); round += 1) {
      await Promise.all(liveTargets(elb, group).map((target) => check(checks, target, round)));
      const interval = group.healthCheck.intervalSeconds * 1000 * elb.settings.elbTimeScale;
      await elb.place.clock.sleep(Math.max(LEAST_INTERVAL_MILLISECONDS, interval), signal);
    }
  } catch (error) {
    if (!signal.aborted)
      log.error('the health checks of a target group ended', { group: group.arn, error: String(error) });
  } finally {
    checks.prober.close();
  }
};
