import { parseInt32 } from '../../../plan/services/go-values.ts';
import type { Service } from '../../../plan/services/service.ts';
import { numberIn, SERVICE_ANNOTATION, ServiceProblem } from './annotations.ts';

/** How a target group checks its targets. */
export interface ServiceHealthCheck {
  readonly protocol: 'TCP' | 'HTTP' | 'HTTPS';
  /** A number, or `traffic-port`. */
  readonly port: string;
  /** Absent for TCP. */
  readonly path?: string;
  readonly intervalSeconds: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
}

const DEFAULTS: ServiceHealthCheck = {
  protocol: 'TCP',
  port: 'traffic-port',
  path: '/',
  intervalSeconds: 30,
  healthyThreshold: 3,
  unhealthyThreshold: 3,
};

/** Only nodes that run one of the Service's pods answer on its health check port. */
const ofLocal = ({ healthCheckNodePort }: Service): ServiceHealthCheck => ({
  protocol: 'HTTP',
  port: String(healthCheckNodePort),
  path: healthCheckNodePort === 0 ? '' : '/healthz',
  intervalSeconds: 10,
  healthyThreshold: 2,
  unhealthyThreshold: 2,
});

const protocolOf = ({ annotations }: Service, fallback: ServiceHealthCheck['protocol']) => {
  const name = SERVICE_ANNOTATION.healthProtocol;
  const protocol = annotations[name]?.toUpperCase() ?? fallback;
  if (protocol === 'TCP' || protocol === 'HTTP' || protocol === 'HTTPS') return protocol;
  throw new ServiceProblem(`annotation ${name}: must be TCP, HTTP or HTTPS, not "${annotations[name]}"`);
};

const portOf = ({ annotations }: Service, fallback: string): string => {
  const name = SERVICE_ANNOTATION.healthPort;
  const port = annotations[name] ?? fallback;
  if (port === 'traffic-port') return port;
  const number = parseInt32(port) ?? 0;
  if (number >= 1 && number <= 65_535) return String(number);
  if (annotations[name] === undefined) {
    throw new ServiceProblem('spec.healthCheckNodePort: none is allocated yet, and externalTrafficPolicy is Local');
  }
  throw new ServiceProblem(`annotation ${name}: must be a port or traffic-port, not "${port}"`);
};

/**
 * The health check of a Service's target groups. Upstream reads the annotation for the timeout but does not use it: a
 * network load balancer has its own timeout for each protocol. Throws ServiceProblem. Source:
 * buildNLBHealthCheckConfiguration.
 */
export const networkHealthCheck = (service: Service): ServiceHealthCheck => {
  const base = service.externalTrafficPolicy === 'Local' ? ofLocal(service) : DEFAULTS;
  const protocol = protocolOf(service, base.protocol);
  const port = portOf(service, base.port);
  numberIn(service, SERVICE_ANNOTATION.healthTimeout, 0);
  return {
    protocol,
    port,
    ...(protocol === 'TCP' ? {} : { path: service.annotations[SERVICE_ANNOTATION.healthPath] ?? base.path ?? '/' }),
    intervalSeconds: numberIn(service, SERVICE_ANNOTATION.healthInterval, base.intervalSeconds),
    healthyThreshold: numberIn(service, SERVICE_ANNOTATION.healthyThreshold, base.healthyThreshold),
    unhealthyThreshold: numberIn(service, SERVICE_ANNOTATION.unhealthyThreshold, base.unhealthyThreshold),
  };
};
