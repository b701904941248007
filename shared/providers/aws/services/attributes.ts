import type { Service } from '../../../plan/services/service.ts';
import { booleanIn, pairsIn, SERVICE_ANNOTATION, ServiceProblem } from './annotations.ts';

type Attributes = Readonly<Record<string, string>>;

/** AWS refuses an empty bucket, so bucket and prefix are only set if logs are enabled. Throws ServiceProblem. */
export const balancerAttributes = (service: Service): Attributes => {
  const { annotations } = service;
  const logs = booleanIn(service, SERVICE_ANNOTATION.accessLogEnabled);
  return {
    'load_balancing.cross_zone.enabled': String(booleanIn(service, SERVICE_ANNOTATION.crossZone)),
    'access_logs.s3.enabled': String(logs),
    ...(logs
      ? {
          'access_logs.s3.bucket': annotations[SERVICE_ANNOTATION.accessLogBucket] ?? '',
          'access_logs.s3.prefix': annotations[SERVICE_ANNOTATION.accessLogPrefix] ?? '',
        }
      : {}),
  };
};

const PRESERVE = 'preserve_client_ip.enabled';
const SETTABLE = [PRESERVE, 'proxy_protocol_v2.enabled'];

/**
 * The attributes in the annotation. Without it, attributes of target groups are left unchanged. Throws ServiceProblem.
 */
export const groupAttributes = ({ annotations, ports }: Service): Attributes => {
  const name = SERVICE_ANNOTATION.groupAttributes;
  const attributes = pairsIn(annotations[name]);
  for (const [key, value] of Object.entries(attributes)) {
    const problem = (detail: string) => new ServiceProblem(`annotation ${name}: ${detail}`);
    if (!SETTABLE.includes(key)) throw problem(`"${key}" must be one of ${SETTABLE.join(' and ')}`);
    if (value !== 'true' && value !== 'false') throw problem(`${key} must be true or false, not "${value}"`);
    if (key === PRESERVE && value === 'false' && ports.some(({ protocol }) => protocol === 'UDP')) {
      throw problem(`${key} cannot be false for UDP ports`);
    }
  }
  return attributes;
};
