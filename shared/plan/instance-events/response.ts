import type { Machine } from '../../kinds/index.ts';
import { NOTICE_POLICY } from '../../kinds/rules/notice-policy.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import { ANNOTATION } from '../labels.ts';
import { isOverdue } from '../machines/waiting.ts';
import type { ConditionClaim } from '../status/conditions.ts';
import { type Notice, readNotice } from './notice.ts';

/**
 * `replace-at-once`: the machine no longer counts while it is drained. `replace-first`: a new machine is Available
 * before the old one is deleted.
 */
export type Response = 'replace-at-once' | 'replace-first' | 'report';

/**
 * A machine that is younger than this when the cloud recommends its replacement is kept. Its replacement would come
 * from the same pool of one type (and often one zone), and would get the same recommendation just as soon, so that the
 * set would never stop replacing it.
 */
const SETTLED_SECONDS = 3600;

/**
 * The annotation with which a user chooses the response. For drift, the cluster's policy has already been applied
 * before there is a notice.
 */
const keyOf = (reason: Notice['reason']): string | undefined =>
  (NOTICE_POLICY as Partial<Record<Notice['reason'], string>>)[reason];

const policyOf = (reason: Notice['reason'], objects: readonly Pick<KubeObject, 'metadata'>[]): string | undefined => {
  const key = keyOf(reason);
  return key && objects.map(({ metadata }) => metadata.annotations?.[key]).find((value) => value !== undefined);
};

const isSettledAt = ({ metadata }: Pick<Machine, 'metadata'>, { at }: Notice): boolean =>
  isOverdue(metadata.creationTimestamp, SETTLED_SECONDS, new Date(at));

const responseTo = (machine: Machine, notice: Notice, owner: KubeObject | undefined): Response => {
  if (!owner) return 'report';
  if (notice.reason === 'SpotInterruption') return 'replace-at-once';
  // If the owner cannot create a replacement, none can be created first.
  if (owner.metadata.annotations?.[ANNOTATION.disableMachineCreate] === 'true') return 'report';
  const policy = policyOf(notice.reason, [machine, owner]);
  if (policy !== undefined) return policy === 'Replace' ? 'replace-first' : 'report';
  return notice.reason !== 'RebalanceRecommendation' || isSettledAt(machine, notice) ? 'replace-first' : 'report';
};

/**
 * The response to the notice of a machine; undefined if there is none. `owner`: the MachineSet or control plane that
 * would replace the machine; without an owner, the notice is only reported. Decision 15 gives the reasons.
 */
export const responseOf = (machine: Machine, owner: KubeObject | undefined): Response | undefined => {
  const notice = readNotice(machine);
  return notice && responseTo(machine, notice, owner);
};

/** Windlass's own condition of a Machine: whether its cloud has announced the end of its instance. Good when False. */
export const AT_RISK = 'windlass.dev/InstanceAtRisk';

const ANNOUNCEMENTS: Readonly<Record<Notice['reason'], (by: string) => string>> = {
  SpotInterruption: (by) => `${by} is reclaiming the spot instance`,
  ScheduledMaintenance: (by) => `${by} has scheduled maintenance of the instance`,
  Drift: () => 'the instance was changed outside Windlass',
  RebalanceRecommendation: (by) => `${by} recommends replacing the spot instance, which is at risk of interruption`,
};

/** The notice as a sentence without its full stop: what was announced, and for when. */
export const announcementOf = ({ reason, deadline, what, by = 'EC2' }: Notice): string =>
  `${ANNOUNCEMENTS[reason](by)}${what ? ` (${what})` : ''}${deadline ? ` at ${deadline}` : ''}`;

/** Why the owner of a machine replaces it; a list with one entry or none, for owners that collect reasons. */
export const replacementReason = (machine: Machine, owner: KubeObject): string[] => {
  const notice = readNotice(machine);
  return notice && responseTo(machine, notice, owner) !== 'report' ? [announcementOf(notice)] : [];
};

const whyReported = (machine: Machine, notice: Notice, owner: KubeObject | undefined): string => {
  if (!owner) return 'the Machine has no owner that would replace it';
  if (notice.reason === 'SpotInterruption') return '';
  const key = keyOf(notice.reason);
  if (policyOf(notice.reason, [machine, owner]) !== undefined) return `${key} says so`;
  if (owner.metadata.annotations?.[ANNOTATION.disableMachineCreate] === 'true')
    return `${owner.kind} ${owner.metadata.name} makes no machines`;
  return `the Machine was younger than an hour; ${key}: Replace would replace it anyway`;
};

/** The condition of a machine with a notice; undefined without one. */
export const atRiskClaim = (machine: Machine, owner: KubeObject | undefined): ConditionClaim | undefined => {
  const notice = readNotice(machine);
  if (!notice) return undefined;
  const isReported = responseTo(machine, notice, owner) === 'report';
  const then = isReported
    ? `only reported, because ${whyReported(machine, notice, owner)}`
    : `${owner?.kind} ${owner?.metadata.name} replaces the Machine`;
  return { type: AT_RISK, status: 'True', reason: notice.reason, message: `${announcementOf(notice)}; ${then}` };
};

/** The condition of a machine whose notice was withdrawn. */
export const noticeWithdrawn: ConditionClaim = { type: AT_RISK, status: 'False', reason: 'NoticeWithdrawn' };
