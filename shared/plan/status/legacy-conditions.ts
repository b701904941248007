import type { LegacyCondition } from '../../kinds/schema/meta.ts';
import { fittingMessage, LONGEST_LEGACY_MESSAGE } from '../../kube-api/condition-message.ts';
import { formatTime, type KubeObject } from '../../kube-api/object.ts';
import { saySame } from '../../request-details.ts';

/**
 * A condition in the form of Cluster API v1beta1, which the AWS kinds report; it only has a reason and a severity if it
 * is not True.
 */
export interface LegacyClaim {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  severity?: 'Error' | 'Warning' | 'Info';
  reason?: string;
  message?: string;
}

type WithLegacyConditions = KubeObject & { status?: { conditions?: LegacyCondition[] } };

const isStated = (before: LegacyCondition | undefined, { status, severity, reason, message }: LegacyClaim): boolean =>
  before?.status === status &&
  before.severity === severity &&
  before.reason === reason &&
  saySame(before.message, message);

const fitting = ({ message, ...claim }: LegacyClaim): LegacyClaim =>
  message === undefined ? claim : { ...claim, message: fittingMessage(message, LONGEST_LEGACY_MESSAGE) };

/** An unchanged condition keeps its message, in which the details of a request may be those of an earlier one. */
const merge = (current: readonly LegacyCondition[], wanted: LegacyClaim, now: Date): LegacyCondition[] => {
  const claim = fitting(wanted);
  const before = current.find(({ type }) => type === claim.type);
  const next: LegacyCondition = {
    ...claim,
    ...(isStated(before, claim) && before?.message !== undefined ? { message: before.message } : {}),
    lastTransitionTime: before?.status === claim.status ? before.lastTransitionTime : formatTime(now),
  };
  return [...current.filter(({ type }) => type !== claim.type), next];
};

/** Upstream's order of relevance (CAPA pkg/cloud/scope cluster.go and machine.go). Other conditions come last. */
const RELEVANCE: readonly string[] = [
  'VpcReady',
  'SubnetsReady',
  'ClusterSecurityGroupsReady',
  'LoadBalancerReady',
  'InternetGatewayReady',
  'NatGatewaysReady',
  'RouteTablesReady',
  'VpcEndpointsReady',
  'BastionHostReady',
  'EgressOnlyInternetGatewayReady',
  'InstanceReady',
  'SecurityGroupsReady',
  'ELBAttached',
];

const relevanceOf = ({ type }: LegacyCondition): number => {
  const at = RELEVANCE.indexOf(type);
  return at < 0 ? RELEVANCE.length : at;
};

const SEVERITIES: readonly unknown[] = ['Error', 'Warning'];

/** Without a usable identity, the other conditions keep their last observed state. */
const isOfIdentity = ({ type }: LegacyCondition): boolean => type.startsWith('Principal');

/** 0 is the worst. A resource that is gone as intended is not a reason to wait, so it ranks after all that are. */
const badnessOf = (condition: LegacyCondition): number => {
  const { status, severity, reason } = condition;
  if (isOfIdentity(condition)) return 0;
  if (status !== 'False') return 3;
  if (reason === 'Deleted') return 4;
  const at = SEVERITIES.indexOf(severity);
  return at < 0 ? SEVERITIES.length : at;
};

const byBadness = (a: LegacyCondition, b: LegacyCondition): number =>
  badnessOf(a) - badnessOf(b) || relevanceOf(a) - relevanceOf(b) || (a.type < b.type ? -1 : 1);

/** A pause is not a reason to be not ready. */
const NOT_SUMMARIZED: readonly string[] = ['Ready', 'Paused'];

/**
 * Ready repeats the worst of all other conditions: errors, then warnings, then other False ones, then Unknown ones.
 * Among equals, it is the most relevant one.
 */
const ready = (conditions: readonly LegacyCondition[]): LegacyClaim => {
  const [worst] = conditions
    .filter(({ type, status }) => !NOT_SUMMARIZED.includes(type) && status !== 'True')
    .sort(byBadness);
  if (!worst) return { type: 'Ready', status: 'True' };
  const { status, severity, reason, message } = worst;
  return {
    type: 'Ready',
    status: status as LegacyClaim['status'],
    ...(severity ? { severity: severity as LegacyClaim['severity'] } : {}),
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
};

/**
 * The object with the claimed condition and the Ready summary. Ready comes first, and the others are sorted by type.
 */
export const withLegacyCondition = <T extends WithLegacyConditions>(object: T, claim: LegacyClaim, now: Date): T =>
  withLegacyConditions(object, [claim], now);

/** Like withLegacyCondition, for several claims. */
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
