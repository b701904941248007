import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';

const MIN_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
const MAX_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';

interface Sized {
  metadata: { annotations?: Record<string, string> };
  spec: { replicas?: number };
}

const INTEGER = /^[+-]?\d+$/;

/** The number in a bound, if it is a valid value of `spec.replicas`. */
const parsed = (bound: string | undefined): number | undefined => {
  const value = bound !== undefined && INTEGER.test(bound) ? Number(bound) : Number.NaN;
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
};

/**
 * `spec.replicas` if the user has not set it. If both annotations with the autoscaler's bounds exist, they decide (a
 * new set starts at the minimum, and an existing one is brought into the range); otherwise it is 1. Bounds that are not
 * 32-bit integers count as absent here, and validation refuses them.
 */
export const defaultReplicas = ({ metadata, spec }: Sized, old: Sized | undefined): number => {
  if (spec.replicas !== undefined) return spec.replicas;
  const [min, max] = [MIN_SIZE, MAX_SIZE].map((key) => parsed(metadata.annotations?.[key]));
  if (min === undefined || max === undefined) return 1;
  const current = old?.spec.replicas;
  return current === undefined ? min : Math.max(min, Math.min(max, current));
};

type Annotations = Record<string, string> | undefined;

/**
 * The autoscaler's bounds, which are used if `spec.replicas` is omitted. Unchanged ones are accepted: earlier versions
 * stored numbers beyond 32 bits, and controllers must be able to write such an object.
 */
export const validateReplicaBounds = (annotations: Annotations, old: Annotations, field = 'metadata'): FieldError[] =>
  [MIN_SIZE, MAX_SIZE].flatMap((key) => {
    const bound = annotations?.[key];
    if (bound === undefined || bound === old?.[key] || parsed(bound) !== undefined) return [];
    return [invalidValue(`${field}.annotations.${key}`, bound, 'must be an integer of 32 bits')];
  });

/** Whether the autoscaler, and not the user, decides on the replicas. */
export const hasReplicaBounds = (annotations: Record<string, string> = {}): boolean =>
  MIN_SIZE in annotations || MAX_SIZE in annotations;

const PERCENTAGE = /^\d+%$/;

/** A count or a percentage of replicas. */
export const validateIntOrPercent = (value: number | string | undefined, field: string): FieldError[] => {
  if (value === undefined || typeof value === 'number' || PERCENTAGE.test(value)) return [];
  const why = 'invalid value for IntOrString: invalid type: string is not a percentage';
  return [invalidValue(field, value, `must be either an int or a percentage: ${why}`)];
};

/** Rules for a rolling update, in a MachineDeployment, its class or its topology. */
export const validateRollingUpdate = (
  { maxSurge, maxUnavailable }: { maxSurge?: number | string; maxUnavailable?: number | string } = {},
  field: string,
): FieldError[] => [
  ...validateIntOrPercent(maxUnavailable, `${field}.maxUnavailable`),
  ...validateIntOrPercent(maxSurge, `${field}.maxSurge`),
  ...(maxSurge === 0 && maxUnavailable === 0
    ? [invalidValue(field, '0', 'maxUnavailable and maxSurge cannot both be 0')]
    : []),
];
