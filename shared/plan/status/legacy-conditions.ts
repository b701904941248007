import type { LegacyCondition } from '../../kinds/schema/meta.ts';
import { formatTime, type KubeObject } from '../../kube-api/object.ts';

/** A condition in the shape of Cluster API v1beta1, which the AWS kinds report; reason and severity only when not True. */
export interface LegacyClaim {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  severity?: 'Error' | 'Warning' | 'Info';
  reason?: string;
  message?: string;
}

type WithLegacyConditions = KubeObject & { status?: { conditions?: LegacyCondition[] } };

const merge = (current: readonly LegacyCondition[], claim: LegacyClaim, now: Date): LegacyCondition[] => {
  const before = current.find(({ type }) => type === claim.type);
  const next: LegacyCondition = {
    ...claim,
    lastTransitionTime: before?.status === claim.status ? before.lastTransitionTime : formatTime(now),
  };
  return [...current.filter(({ type }) => type !== claim.type), next];
};

/** Ready is the worst of all the others, as upstream's summary. */
const ready = (conditions: readonly LegacyCondition[]): LegacyClaim => {
  const bad = conditions.find(({ type, status }) => type !== 'Ready' && status !== 'True');
  if (!bad) return { type: 'Ready', status: 'True' };
  const { status, severity, reason, message } = bad;
  return {
    type: 'Ready',
    status: status as LegacyClaim['status'],
    ...(severity ? { severity: severity as LegacyClaim['severity'] } : {}),
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
};

/** The object with the claimed conditions and the Ready summary of them; Ready first, the others by type. */
export const withLegacyCondition = <T extends WithLegacyConditions>(object: T, claim: LegacyClaim, now: Date): T =>
  withLegacyConditions(object, [claim], now);

/** As withLegacyCondition, for several claims at once. */
export const withLegacyConditions = <T extends WithLegacyConditions>(
  object: T,
  claims: readonly LegacyClaim[],
  now: Date,
): T => {
  const merged = claims.reduce((all, claim) => merge(all, claim, now), object.status?.conditions ?? []);
  const rank = ({ type }: LegacyCondition) => (type === 'Ready' ? 0 : 1);
  const conditions = merge(merged, ready(merged), now).sort((a, b) => rank(a) - rank(b) || (a.type < b.type ? -1 : 1));
  return { ...object, status: { ...object.status, conditions } };
};
