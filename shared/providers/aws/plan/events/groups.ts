import * as z from 'zod';

/** The content of an event of Auto Scaling. */
export interface GroupReport {
  /** The name of the Auto Scaling group. */
  group: string;
  /** The type of the event. */
  what: string;
}

const schema = z.object({
  source: z.literal('aws.autoscaling'),
  'detail-type': z.string(),
  detail: z.object({ AutoScalingGroupName: z.string() }),
});

/**
 * Reads an event about an instance of an Auto Scaling group; undefined for events of other sources. Throws a ZodError
 * for an event of Auto Scaling in another form, which the rules never deliver.
 */
export const readGroupEvent = (event: unknown): GroupReport | undefined => {
  const isGroups =
    typeof event === 'object' && event !== null && 'source' in event && event.source === 'aws.autoscaling';
  if (!isGroups) return undefined;
  const read = schema.parse(event);
  return { group: read.detail.AutoScalingGroupName, what: read['detail-type'] };
};
