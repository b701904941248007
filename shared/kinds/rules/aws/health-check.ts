import { isDeepStrictEqual } from 'node:util';
import { invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { LoadBalancerSpec } from '../../schema/aws-load-balancer.ts';

/**
 * Rules for health checks that Elastic Load Balancing refuses. Upstream admits them, and the load balancer is never
 * completed.
 */

/**
 * Upstream's times: a machine that does not respond is removed after half a minute, and added again after ten seconds.
 */
export const HEALTH_CHECK_TIMES = {
  intervalSeconds: 5,
  timeoutSeconds: 4,
  thresholdCount: 2,
  unhealthyThresholdCount: 6,
};

/**
 * Sources: ELBv2's CreateTargetGroup, which does not support TLS, UDP and TCP_UDP for health checks, and the property
 * Target of a classic load balancer's HealthCheck.
 */
const PROTOCOLS: Partial<Record<NonNullable<LoadBalancerSpec['loadBalancerType']>, readonly string[]>> = {
  nlb: ['TCP', 'HTTP', 'HTTPS'],
  classic: ['TCP', 'SSL', 'HTTP', 'HTTPS'],
};

/** Whether AWS accepts the protocol in the spec for this type of load balancer; other types are not created. */
export const hasPossibleProtocol = ({ loadBalancerType = 'disabled', healthCheckProtocol = 'TCP' }: LoadBalancerSpec) =>
  PROTOCOLS[loadBalancerType]?.includes(healthCheckProtocol) ?? true;

const validateProtocol = (spec: LoadBalancerSpec, field: string): FieldError[] => {
  if (hasPossibleProtocol(spec)) return [];
  const detail =
    spec.loadBalancerType === 'classic'
      ? 'a classic load balancer checks over TCP, SSL, HTTP or HTTPS'
      : 'a network load balancer checks over TCP, HTTP or HTTPS; SSL needs "loadBalancerType: classic"';
  return [invalidValue(`${field}.healthCheckProtocol`, spec.healthCheckProtocol, detail)];
};

type Times = Partial<Pick<typeof HEALTH_CHECK_TIMES, 'intervalSeconds' | 'timeoutSeconds'>>;

const MOST_CLASSIC_SECONDS = 60;

/** The timeout of a network load balancer may be as long as its interval; that of a classic one must be shorter. */
const validateTimes = (times: Times, field: string, isClassic: boolean): FieldError[] => {
  const { intervalSeconds: interval, timeoutSeconds: timeout } = { ...HEALTH_CHECK_TIMES, ...times };
  const detail = (() => {
    if (isClassic && timeout >= interval) return `must be less than intervalSeconds, which is ${interval}`;
    if (timeout > interval) return `must not be more than intervalSeconds, which is ${interval}`;
    if (isClassic && timeout > MOST_CLASSIC_SECONDS) {
      return `must not be more than ${MOST_CLASSIC_SECONDS} for a classic load balancer`;
    }
    return undefined;
  })();
  return detail === undefined ? [] : [invalidValue(`${field}.timeoutSeconds`, timeout, detail)];
};

const validateListeners = ({ additionalListeners = [] }: LoadBalancerSpec, old: LoadBalancerSpec, field: string) => {
  const known = new Map((old.additionalListeners ?? []).map((listener) => [listener.port, listener]));
  return additionalListeners.flatMap(({ port, healthCheck = {} }, index) => {
    const before = known.get(port);
    return before && isDeepStrictEqual(before.healthCheck ?? {}, healthCheck)
      ? []
      : validateTimes(healthCheck, `${field}.additionalListeners[${index}].healthCheck`, false);
  });
};

/** Rules for the health checks of one load balancer. Unchanged settings from before these rules are accepted. */
export const validateHealthChecks = (
  spec: LoadBalancerSpec,
  old: LoadBalancerSpec | undefined,
  field: string,
): FieldError[] => {
  const { loadBalancerType: type, healthCheckProtocol, healthCheck = {} } = spec;
  if (type !== 'nlb' && type !== 'classic') return [];
  const before = old?.loadBalancerType === type ? old : undefined;
  const isSameProtocol = before !== undefined && before.healthCheckProtocol === healthCheckProtocol;
  const isSameTimes = before !== undefined && isDeepStrictEqual(before.healthCheck ?? {}, healthCheck);
  const isClassic = type === 'classic';
  return [
    ...(isSameProtocol ? [] : validateProtocol(spec, field)),
    ...(isSameTimes ? [] : validateTimes(healthCheck, `${field}.healthCheck`, isClassic)),
    // A classic load balancer has no additional listeners.
    ...(isClassic ? [] : validateListeners(spec, before ?? {}, field)),
  ];
};
