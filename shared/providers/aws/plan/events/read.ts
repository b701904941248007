import * as z from 'zod';
import type { NoticeGiven, NoticeTakenBack } from '../../../../plan/instance-events/news.ts';
import type { Notice } from '../../../../plan/instance-events/notice.ts';

/** An instance has another state. EventBridge guarantees no order, so this may be outdated. */
export interface StateReport {
  kind: 'state';
  instanceId: string;
  /** EC2's state, such as `stopping`. */
  state: string;
}

type InstanceNews = StateReport | NoticeGiven | NoticeTakenBack;

/** How long before the end of a spot instance EC2 sends the warning. */
const SPOT_NOTICE_MILLISECONDS = 120_000;

const instant = z.string().transform((text, context) => {
  // Health uses the date format of HTTP, and EC2 uses RFC 3339.
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  context.addIssue(`not a time: ${text}`);
  return z.NEVER;
});

const ec2Instance = { 'instance-id': z.string() };

const eventSchema = z.discriminatedUnion('detail-type', [
  z.object({
    'detail-type': z.literal('EC2 Instance State-change Notification'),
    detail: z.object({ ...ec2Instance, state: z.string() }),
  }),
  z.object({
    'detail-type': z.literal('EC2 Spot Instance Interruption Warning'),
    time: instant,
    detail: z.object({ ...ec2Instance, 'instance-action': z.string() }),
  }),
  z.object({
    'detail-type': z.literal('EC2 Instance Rebalance Recommendation'),
    time: instant,
    detail: z.object(ec2Instance),
  }),
  z.object({
    'detail-type': z.literal('AWS Health Event'),
    time: instant,
    detail: z.object({
      eventArn: z.string(),
      eventTypeCode: z.string(),
      eventTypeCategory: z.string(),
      statusCode: z.string().optional(),
      startTime: instant.optional(),
      lastUpdatedTime: instant.optional(),
      affectedEntities: z.array(z.object({ entityValue: z.string(), status: z.string().optional() })).default([]),
    }),
  }),
]);

const TYPES: ReadonlySet<unknown> = new Set(eventSchema.options.map(({ shape }) => shape['detail-type'].value));

/** Whether an event has a type that concerns instances. */
export const isInstanceEvent = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'detail-type' in event && TYPES.has(event['detail-type']);

type Health = Extract<z.infer<typeof eventSchema>, { 'detail-type': 'AWS Health Event' }>;

const INSTANCE = /^i-[0-9a-f]+$/;

/** One event may concern many instances, as well as volumes or hosts. It may end for some of them before others. */
const healthNews = ({ time, detail }: Health): InstanceNews[] => {
  const { eventArn, eventTypeCode, eventTypeCategory, statusCode, startTime, lastUpdatedTime = time } = detail;
  if (eventTypeCategory !== 'scheduledChange') return [];
  const at = lastUpdatedTime.toISOString();
  const notice: Notice = {
    reason: 'ScheduledMaintenance',
    at,
    ...(startTime ? { deadline: startTime.toISOString() } : {}),
    what: eventTypeCode,
    id: eventArn,
  };
  return detail.affectedEntities
    .filter(({ entityValue }) => INSTANCE.test(entityValue))
    .map(({ entityValue: instanceId, status }) =>
      statusCode === 'closed' || status === 'RESOLVED'
        ? { kind: 'withdrawal', instanceId, id: eventArn, at }
        : { kind: 'notice', instanceId, notice },
    );
};

/**
 * The notices about instances in an EventBridge event. Throws a ZodError for an event of another type or form: the
 * rules never deliver one, so it would be a bug.
 */
export const readEvent = (event: unknown): InstanceNews[] => {
  const read = eventSchema.parse(event);
  if (read['detail-type'] === 'AWS Health Event') return healthNews(read);
  const { 'instance-id': instanceId } = read.detail;
  if (read['detail-type'] === 'EC2 Instance State-change Notification')
    return [{ kind: 'state', instanceId, state: read.detail.state }];
  const at = read.time.toISOString();
  if (read['detail-type'] === 'EC2 Instance Rebalance Recommendation')
    return [{ kind: 'notice', instanceId, notice: { reason: 'RebalanceRecommendation', at } }];
  const deadline = new Date(read.time.getTime() + SPOT_NOTICE_MILLISECONDS).toISOString();
  const notice: Notice = { reason: 'SpotInterruption', at, deadline, what: read.detail['instance-action'] };
  return [{ kind: 'notice', instanceId, notice }];
};
