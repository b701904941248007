import * as z from 'zod';
import type { Machine } from '../../kinds/index.ts';
import { isWithdrawn, type Withdrawal, withWithdrawal } from './withdrawn.ts';

/** An annotation of a Machine: what its cloud has announced about its instance, or what was found there. */
export const NOTICE_ANNOTATION = 'windlass.dev/instance-notice';

/** The most urgent first. Only one notice is recorded, and only a more urgent one replaces it. */
const REASONS = ['SpotInterruption', 'ScheduledMaintenance', 'Drift', 'RebalanceRecommendation'] as const;

const noticeSchema = z.object({
  reason: z.enum(REASONS),
  /** RFC 3339: when it was announced. */
  at: z.iso.datetime(),
  /** RFC 3339: when the instance is stopped or terminated, if known. */
  deadline: z.iso.datetime().optional(),
  /** The announced action, in the cloud's own term: `terminate`, `AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED`. */
  what: z.string().optional(),
  /** The source of the announcement. If absent, as in notices of AWS, it is EC2. */
  by: z.string().optional(),
  /** The announcement's own id, if it has one with which it can be withdrawn. */
  id: z.string().optional(),
});

/** A cloud's announcement about an instance. */
export type Notice = z.infer<typeof noticeSchema>;

/** The notice that is recorded on a machine; undefined if there is none, or if Windlass did not write it. */
export const readNotice = ({ metadata }: Pick<Machine, 'metadata'>): Notice | undefined => {
  const text = metadata.annotations?.[NOTICE_ANNOTATION];
  if (!text) return undefined;
  try {
    return noticeSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: a user has written it, so it is ignored.
    return undefined;
  }
};

const end = ({ deadline }: Notice): number => (deadline ? Date.parse(deadline) : Number.POSITIVE_INFINITY);

/**
 * For notices with the same reason: a changed date of the same announcement takes precedence, and of two announcements
 * the one with the earlier date.
 */
const supersedes = (next: Notice, current: Notice): boolean =>
  next.id !== undefined && next.id === current.id
    ? Date.parse(next.at) >= Date.parse(current.at) && end(next) !== end(current)
    : end(next) < end(current);

/** The notice that applies when `next` arrives. Notices may arrive in any order, and several times. */
const dominant = (current: Notice | undefined, next: Notice): Notice => {
  if (!current) return next;
  const urgency = REASONS.indexOf(next.reason) - REASONS.indexOf(current.reason);
  return urgency < 0 || (urgency === 0 && supersedes(next, current)) ? next : current;
};

const withAnnotation = (machine: Machine, text: string | undefined): Machine => {
  const { [NOTICE_ANNOTATION]: _, ...others } = machine.metadata.annotations ?? {};
  const annotations = text === undefined ? others : { ...others, [NOTICE_ANNOTATION]: text };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};

/** The machine with a notice; undefined if the notice changes nothing, or was withdrawn before it arrived. */
export const withNotice = (machine: Machine, notice: Notice): Machine | undefined => {
  if (isWithdrawn(machine, notice)) return undefined;
  const text = JSON.stringify(dominant(readNotice(machine), notice));
  return machine.metadata.annotations?.[NOTICE_ANNOTATION] === text ? undefined : withAnnotation(machine, text);
};

/**
 * The machine after an announcement was withdrawn; undefined if that changes nothing. `isLifted`: this announcement was
 * the one that applied. If it has not arrived yet, or arrives again, it will not apply; one that is newer than the
 * withdrawal will.
 */
export const withoutNotice = (
  machine: Machine,
  withdrawal: Withdrawal,
): { machine: Machine; isLifted: boolean } | undefined => {
  const notice = readNotice(machine);
  const isLifted = notice?.id === withdrawal.id && Date.parse(notice.at) <= Date.parse(withdrawal.at);
  const recorded = withWithdrawal(machine, withdrawal);
  if (!isLifted) return recorded && { machine: recorded, isLifted };
  return { machine: withAnnotation(recorded ?? machine, undefined), isLifted };
};

/** Whether the cloud will reclaim the instance within minutes. */
export const isReclaimed = (machine: Machine): boolean => readNotice(machine)?.reason === 'SpotInterruption';

/** Whether the cloud's deadline has passed, so that nothing on the instance is worth waiting for. */
export const isNoticeOver = (machine: Machine, now: Date): boolean => {
  const notice = readNotice(machine);
  return notice !== undefined && end(notice) <= now.getTime();
};
