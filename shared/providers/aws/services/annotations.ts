/**
 * The annotations of Services that AWS's cloud provider reads (k8s.io/cloud-provider-aws, pkg/providers/v1/aws.go), and
 * how it parses them.
 */
import { parseBool, parseInt32 } from '../../../plan/services/go-values.ts';
import type { Service } from '../../../plan/services/service.ts';

const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';

export const SERVICE_ANNOTATION = {
  type: `${PREFIX}type`,
  internal: `${PREFIX}internal`,
  subnets: `${PREFIX}subnets`,
  crossZone: `${PREFIX}cross-zone-load-balancing-enabled`,
  accessLogEnabled: `${PREFIX}access-log-enabled`,
  accessLogBucket: `${PREFIX}access-log-s3-bucket-name`,
  accessLogPrefix: `${PREFIX}access-log-s3-bucket-prefix`,
  accessLogInterval: `${PREFIX}access-log-emit-interval`,
  drainingEnabled: `${PREFIX}connection-draining-enabled`,
  drainingTimeout: `${PREFIX}connection-draining-timeout`,
  idleTimeout: `${PREFIX}connection-idle-timeout`,
  proxyProtocol: `${PREFIX}proxy-protocol`,
  securityGroups: `${PREFIX}security-groups`,
  extraSecurityGroups: `${PREFIX}extra-security-groups`,
  certificate: `${PREFIX}ssl-cert`,
  sslPorts: `${PREFIX}ssl-ports`,
  sslPolicy: `${PREFIX}ssl-negotiation-policy`,
  backendProtocol: `${PREFIX}backend-protocol`,
  additionalTags: `${PREFIX}additional-resource-tags`,
  healthProtocol: `${PREFIX}healthcheck-protocol`,
  healthPort: `${PREFIX}healthcheck-port`,
  healthPath: `${PREFIX}healthcheck-path`,
  healthyThreshold: `${PREFIX}healthcheck-healthy-threshold`,
  unhealthyThreshold: `${PREFIX}healthcheck-unhealthy-threshold`,
  healthTimeout: `${PREFIX}healthcheck-timeout`,
  healthInterval: `${PREFIX}healthcheck-interval`,
  groupAttributes: `${PREFIX}target-group-attributes`,
  addresses: `${PREFIX}eip-allocations`,
  privateAddresses: `${PREFIX}private-ipv4-addresses`,
  nodeLabels: `${PREFIX}target-node-labels`,
} as const;

/** Kubernetes' own annotation, which is read if the field in the spec is empty. */
export const SOURCE_RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** A Service whose settings are not possible. The message names the field or annotation and the valid values. */
export class ServiceProblem extends Error {
  override readonly name: string = 'ServiceProblem';
}

/** A ServiceProblem that a change in the account can solve, without a change of the Service. */
export class AccountProblem extends ServiceProblem {
  override readonly name = 'AccountProblem';
}

type Annotated = Pick<Service, 'annotations'>;

const typeOf = ({ annotations }: Annotated): string | undefined => annotations[SERVICE_ANNOTATION.type];

export const isNetworkType = (service: Annotated): boolean => typeOf(service) === 'nlb';

/** The default type. Upstream treats every other text in this way, including misspelled ones. */
export const isClassicType = (service: Annotated): boolean => ['', 'classic'].includes(typeOf(service) ?? '');

/** The types for which the AWS Load Balancer Controller is responsible. */
export const isServedElsewhere = (service: Annotated): boolean =>
  ['nlb-ip', 'external'].includes(typeOf(service) ?? '');

/** Everything except an empty text and `false` means an internal load balancer. */
export const isInternal = ({ annotations }: Annotated): boolean =>
  !['', 'false'].includes(annotations[SERVICE_ANNOTATION.internal] ?? '');

/** `key=value` pairs and single keys, separated by commas. The text after a second `=` is ignored. */
export const pairsIn = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? '').split(',').flatMap((pair) => {
      const [key = '', value = ''] = pair.trim().split('=');
      return key === '' ? [] : [[key, value]];
    }),
  );

/** The parts of a list; undefined if the annotation is missing. */
export const listIn = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** An empty value means that it is not set. Throws ServiceProblem. */
export const booleanIn = ({ annotations }: Annotated, name: string): boolean => {
  const text = annotations[name] ?? '';
  const value = text === '' ? false : parseBool(text);
  if (value === undefined) throw new ServiceProblem(`annotation ${name}: must be true or false, not "${text}"`);
  return value;
};

/** Throws ServiceProblem. */
export const numberIn = ({ annotations }: Annotated, name: string, fallback: number): number => {
  const text = annotations[name];
  if (text === undefined) return fallback;
  const value = parseInt32(text);
  if (value === undefined) throw new ServiceProblem(`annotation ${name}: must be a number, not "${text}"`);
  return value;
};
