import { forbiddenField, invalidValue } from '../../../kube-api/field-error.ts';
import type { FieldError } from '../../../kube-api/resource.ts';
import type { LoadBalancerSpec } from '../../schema/aws-load-balancer.ts';
import { hasPossibleProtocol } from './health-check.ts';
import { validateIngressRules } from './network.ts';

export const PRIMARY = 'spec.controlPlaneLoadBalancer';
export const SECONDARY = 'spec.secondaryControlPlaneLoadBalancer';

/**
 * Types that upstream accepts but that cannot serve the Kubernetes API over TCP. They are refused early instead of by
 * AWS.
 */
const validateType = ({ loadBalancerType: type }: LoadBalancerSpec, field: string): FieldError[] => {
  if (type !== 'alb' && type !== 'elb') return [];
  const detail = 'not supported: use "nlb" or "classic" (or "disabled" for your own)';
  return [invalidValue(`${field}.loadBalancerType`, type, detail)];
};

const DISABLED_FIELDS = {
  name: 'cannot configure a name',
  crossZoneLoadBalancing: 'cross-zone load balancing cannot be set',
  subnets: 'subnets cannot be set',
  healthCheckProtocol: 'healthcheck protocol cannot be set',
  additionalSecurityGroups: 'additional Security Groups cannot be set',
  additionalListeners: 'cannot set additional listeners',
  ingressRules: 'ingress rules cannot be set',
  preserveClientIP: 'cannot preserve client IP',
  disableHostsRewrite: 'cannot disable hosts rewrite',
  targetGroupIPType: 'cannot set target group IP type',
} as const;

const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

const validateDisabled = (spec: LoadBalancerSpec, field: string): FieldError[] => {
  if (spec.loadBalancerType !== 'disabled') return [];
  return (Object.keys(DISABLED_FIELDS) as (keyof typeof DISABLED_FIELDS)[])
    .filter((name) => isSet(spec[name]))
    .map((name) =>
      invalidValue(
        `${field}.${name}`,
        spec[name],
        `${DISABLED_FIELDS[name]} if the LoadBalancer reconciliation is disabled`,
      ),
    );
};

/** A classic load balancer has no target groups. */
const validateClassic = ({ loadBalancerType, targetGroupIPType: ipType }: LoadBalancerSpec, field: string) =>
  loadBalancerType === 'classic' && ipType !== undefined
    ? [
        invalidValue(
          `${field}.targetGroupIPType`,
          ipType,
          'targetGroupIPType cannot be used with classic load balancer types',
        ),
      ]
    : [];

const validateIpType = (spec: LoadBalancerSpec, field: string, hasIpv6: boolean): FieldError[] => {
  const detail =
    'targetGroupIPType IPv6 requires IPv6 to be enabled on the VPC. Set spec.network.vpc.ipv6 to enable IPv6';
  const listeners = (spec.additionalListeners ?? []).map(({ targetGroupIPType }, index) => ({
    at: `${field}.additionalListeners[${index}].targetGroupIPType`,
    type: targetGroupIPType,
  }));
  return [{ at: `${field}.targetGroupIPType`, type: spec.targetGroupIPType }, ...listeners].flatMap(({ at, type }) =>
    type === 'ipv6' && !hasIpv6 ? [invalidValue(at, type, detail)] : [],
  );
};

/**
 * AWS refuses such a name, and the field is immutable. A stored name is accepted, so that the object can be deleted.
 */
export const validateBalancerName = (
  { name, loadBalancerType }: LoadBalancerSpec,
  old: LoadBalancerSpec | undefined,
  field: string,
): FieldError[] =>
  loadBalancerType !== 'nlb' || name === old?.name || !name?.startsWith('internal-')
    ? []
    : [invalidValue(`${field}.name`, name, "must not begin with 'internal-', which AWS reserves")];

/**
 * The port of the API already has a listener. The port is only known here if the endpoint has one; otherwise the load
 * balancer is not created, and its condition gives the reason. A stored listener is accepted, so that the endpoint can
 * be recorded.
 */
export const validateListenerPorts = (
  { loadBalancerType: type, additionalListeners = [] }: LoadBalancerSpec,
  old: LoadBalancerSpec | undefined,
  field: string,
  apiPort: number | undefined,
): FieldError[] => {
  const known = new Set(old?.additionalListeners?.map(({ port }) => port));
  return additionalListeners.flatMap(({ port }, index) => {
    const isKept = type !== 'nlb' || known.has(port);
    const detail = 'is the port of the API (spec.controlPlaneEndpoint.port), which has a listener already';
    return isKept || port !== apiPort
      ? []
      : [invalidValue(`${field}.additionalListeners[${index}].port`, port, detail)];
  });
};

/** Rules for one load balancer of the API server. */
export const validateLoadBalancer = (spec: LoadBalancerSpec, field: string, hasIpv6: boolean): FieldError[] => [
  ...validateType(spec, field),
  ...validateDisabled(spec, field),
  ...validateClassic(spec, field),
  ...validateIpType(spec, field, hasIpv6),
  ...validateIngressRules(spec.ingressRules, `${field}.ingressRules`),
];

/** Rules for the second load balancer in relation to the first. */
export const validateSecondary = (secondary: LoadBalancerSpec, primary: LoadBalancerSpec): FieldError[] => {
  const { name, scheme, loadBalancerType: type } = secondary;
  const detail = 'secondary control plane load balancer must be a Network Load Balancer';
  return [
    ...(name
      ? []
      : [invalidValue(`${SECONDARY}.name`, name ?? null, 'secondary controlPlaneLoadBalancer.name cannot be empty')]),
    ...(name && name === primary.name
      ? [invalidValue(`${SECONDARY}.name`, name, 'field must be different from controlPlaneLoadBalancer.name')]
      : []),
    ...(scheme === primary.scheme
      ? [invalidValue(`${SECONDARY}.scheme`, scheme, 'control plane load balancers must have different schemes')]
      : []),
    ...(type === 'nlb' ? [] : [invalidValue(`${SECONDARY}.loadBalancerType`, type, detail)]),
  ];
};

/** Whether the protocol of a network load balancer is immutable: not if AWS can never have created one with it. */
const isProtocolFixed = (old: LoadBalancerSpec): boolean =>
  old.loadBalancerType !== 'classic' && hasPossibleProtocol(old);

/** What must not change in a load balancer once its AWSCluster exists; both sides are defaulted. */
export const validateLoadBalancerUpdate = (
  next: LoadBalancerSpec | undefined,
  old: LoadBalancerSpec | undefined,
  field: string,
): FieldError[] => {
  if (!next || !old) return [];
  const immutable = (['scheme', 'name'] as const).filter((name) => next[name] !== old[name]);
  const hasToggled = (next.loadBalancerType === 'disabled') !== (old.loadBalancerType === 'disabled');
  return [
    ...(hasToggled
      ? [
          invalidValue(
            `${field}.loadBalancerType`,
            next.loadBalancerType,
            'field is immutable when created of disabled type',
          ),
        ]
      : []),
    ...immutable.map((name) => invalidValue(`${field}.${name}`, next[name] ?? null, 'field is immutable')),
    ...(isProtocolFixed(old) && next.healthCheckProtocol !== old.healthCheckProtocol
      ? [invalidValue(`${field}.healthCheckProtocol`, next.healthCheckProtocol ?? null, 'field is immutable once set')]
      : []),
    ...(next.targetGroupIPType !== old.targetGroupIPType
      ? [
          forbiddenField(
            `${field}.targetGroupIPType`,
            'field is immutable and cannot be changed after target group creation',
          ),
        ]
      : []),
  ];
};
