import { parseInt32 } from '../../../../plan/services/go-values.ts';
import type { Service } from '../../../../plan/services/service.ts';
import { numberIn, SERVICE_ANNOTATION, ServiceProblem } from '../annotations.ts';
import type { ClassicCheck, ClassicListener } from './model.ts';

const PROTOCOLS = ['TCP', 'SSL', 'HTTP', 'HTTPS'];

/** Only nodes that run one of the Service's pods answer on its health check port. */
const isLocal = ({ externalTrafficPolicy, healthCheckNodePort }: Service): boolean =>
  externalTrafficPolicy === 'Local' && healthCheckNodePort > 0;

const protocolOf = (service: Service): string => {
  const { annotations } = service;
  const name = SERVICE_ANNOTATION.healthProtocol;
  const isSecure = ['https', 'ssl'].includes(annotations[SERVICE_ANNOTATION.backendProtocol]?.toLowerCase() ?? '');
  const fallback = isSecure ? 'SSL' : 'TCP';
  const protocol = annotations[name]?.toUpperCase() ?? (isLocal(service) ? 'HTTP' : fallback);
  if (PROTOCOLS.includes(protocol)) return protocol;
  throw new ServiceProblem(`annotation ${name}: must be TCP, SSL, HTTP or HTTPS, not "${annotations[name]}"`);
};

const portOf = (service: Service, first: number): number => {
  const name = SERVICE_ANNOTATION.healthPort;
  const text = service.annotations[name];
  if (text === undefined) return isLocal(service) ? service.healthCheckNodePort : first;
  const port = text === 'traffic-port' ? first : (parseInt32(text) ?? 0);
  if (port >= 1 && port <= 65_535) return port;
  throw new ServiceProblem(`annotation ${name}: must be a port or traffic-port, not "${text}"`);
};

const pathOf = (service: Service, protocol: string): string => {
  if (!protocol.startsWith('HTTP')) return '';
  return service.annotations[SERVICE_ANNOTATION.healthPath] || (isLocal(service) ? '/healthz' : '/');
};

const within = (service: Service, name: string, fallback: number, [least, most]: readonly [number, number]): number => {
  const value = numberIn(service, name, fallback);
  if (value >= least && value <= most) return value;
  throw new ServiceProblem(`annotation ${name}: must be from ${least} to ${most}, not ${value}`);
};

/**
 * The health check of a classic load balancer, on the node port of the first listener unless the Service says
 * otherwise; in AWS's ranges. Throws ServiceProblem. Source: ensureLoadBalancerHealthCheck and its callers.
 */
export const classicCheck = (service: Service, [first]: readonly ClassicListener[]): ClassicCheck => {
  const protocol = protocolOf(service);
  const port = portOf(service, first?.instancePort ?? 0);
  const { healthInterval, healthTimeout, healthyThreshold, unhealthyThreshold } = SERVICE_ANNOTATION;
  const check = {
    target: `${protocol}:${port}${pathOf(service, protocol)}`,
    intervalSeconds: within(service, healthInterval, 10, [5, 300]),
    timeoutSeconds: within(service, healthTimeout, 5, [2, 60]),
    healthyThreshold: within(service, healthyThreshold, 2, [2, 10]),
    unhealthyThreshold: within(service, unhealthyThreshold, 6, [2, 10]),
  };
  if (check.timeoutSeconds < check.intervalSeconds) return check;
  throw new ServiceProblem(
    `annotation ${healthTimeout}: must be shorter than the interval, ${check.intervalSeconds} s`,
  );
};
