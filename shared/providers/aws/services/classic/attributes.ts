import { parseInt32 } from '../../../../plan/services/go-values.ts';
import type { Service } from '../../../../plan/services/service.ts';
import { booleanIn, SERVICE_ANNOTATION, ServiceProblem } from '../annotations.ts';
import type { ClassicAttributes } from './model.ts';

/** An empty annotation counts as absent. */
const secondsIn = ({ annotations }: Service, name: string, fallback: number, most: number): number => {
  const text = annotations[name] ?? '';
  const value = text === '' ? fallback : (parseInt32(text) ?? 0);
  if (value >= 1 && value <= most) return value;
  throw new ServiceProblem(`annotation ${name}: must be a number of seconds from 1 to ${most}, not "${text}"`);
};

const accessLogOf = ({ annotations }: Service): ClassicAttributes['accessLog'] => {
  const { accessLogBucket, accessLogPrefix, accessLogInterval } = SERVICE_ANNOTATION;
  const bucket = annotations[accessLogBucket] ?? '';
  if (bucket === '') throw new ServiceProblem(`annotation ${accessLogBucket}: must name the bucket of the access log`);
  const text = annotations[accessLogInterval] || '60';
  const intervalMinutes = parseInt32(text) ?? 0;
  if (intervalMinutes !== 5 && intervalMinutes !== 60) {
    throw new ServiceProblem(`annotation ${accessLogInterval}: must be 5 or 60 minutes, not "${text}"`);
  }
  return { bucket, prefix: annotations[accessLogPrefix] ?? '', intervalMinutes };
};

/** In AWS's ranges. Details of disabled features are ignored. Throws ServiceProblem. */
export const classicAttributes = (service: Service): ClassicAttributes => {
  const draining = secondsIn(service, SERVICE_ANNOTATION.drainingTimeout, 300, 3600);
  return {
    isCrossZone: booleanIn(service, SERVICE_ANNOTATION.crossZone),
    idleSeconds: secondsIn(service, SERVICE_ANNOTATION.idleTimeout, 60, 4000),
    ...(booleanIn(service, SERVICE_ANNOTATION.drainingEnabled) ? { drainingSeconds: draining } : {}),
    ...(booleanIn(service, SERVICE_ANNOTATION.accessLogEnabled) ? { accessLog: accessLogOf(service) } : {}),
  };
};
