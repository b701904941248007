import { invalidValue } from '../../kube-api/field-error.ts';
import type { FieldError } from '../../kube-api/resource.ts';

/** The possible responses to EC2's notices that leave a choice, by the type of notice: `Replace` or `Report`. */
export const NOTICE_POLICY = {
  RebalanceRecommendation: 'windlass.dev/on-rebalance',
  ScheduledMaintenance: 'windlass.dev/on-maintenance',
} as const;

const VALUES = ['Replace', 'Report'];

/** Our annotations about EC2's notices must have valid values. */
export const validateNoticePolicy = (annotations: Readonly<Record<string, string>> = {}): FieldError[] =>
  Object.values(NOTICE_POLICY)
    .filter((key) => annotations[key] !== undefined && !VALUES.includes(annotations[key]))
    .map((key) => invalidValue(`metadata.annotations[${key}]`, annotations[key], 'must be Replace or Report'));
