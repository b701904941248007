import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';

const MIN_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
const MAX_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';

interface Sized {
  metadata: { annotations?: Record<string, string> };
  spec: { replicas?: number };
}

const INTEGER = /^[+-]?\d+$/;

/**
 * `spec.replicas` if the user set none: the autoscaler's bounds decide if both annotations exist (a new set starts at
 * the minimum, an existing one is brought into the range), otherwise 1. Bounds that are not numbers count as absent
 * here, and validation refuses them.
 */
export const defaultReplicas = ({ metadata, spec }: Sized, old: Sized | undefined): number => {
  if (spec.replicas !== undefined) return spec.replicas;
  const bounds = [metadata.annotations?.[MIN_SIZE], metadata.annotations?.[MAX_SIZE]];
  const [min, max] = bounds.map((bound) => (bound !== undefined && INTEGER.test(bound) ? Number(bound) : undefined));
  if (min === undefined || max === undefined) return 1;
  const current = old?.spec.replicas;
  return current === undefined ? min : Math.max(min, Math.min(max, current));
};

/** The autoscaler's bounds, which are read where `spec.replicas` is left out. */
export const validateReplicaBounds = (annotations: Record<string, string> = {}): FieldError[] =>
  [MIN_SIZE, MAX_SIZE].flatMap((key) => {
    const bound = annotations[key];
    if (bound === undefined || INTEGER.test(bound)) return [];
    return [invalidValue(`metadata.annotations.${key}`, bound, 'must be an integer')];
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

/** Rules for a rolling update: of a MachineDeployment, its class or its topology. */
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
