import { z } from 'zod';

/** An instance is in another state; EventBridge keeps no order, so it may be no more. */
export interface StateChange {
  kind: 'state';
  instanceId: string;
  /** EC2's word, such as `stopping`. */
  state: string;
}

export type InstanceNews = StateChange;

const stateChange = z.object({
  'detail-type': z.literal('EC2 Instance State-change Notification'),
  detail: z.object({ 'instance-id': z.string(), state: z.string() }),
});

/**
 * What an event of EventBridge says of instances. Throws a ZodError for an event of another type or form: the rules
 * deliver none, so it would be a fault of ours.
 */
export const readEvent = (event: unknown): InstanceNews[] => {
  const { detail } = stateChange.parse(event);
  return [{ kind: 'state', instanceId: detail['instance-id'], state: detail.state }];
};
