import { emitScaling } from './events.ts';
import type { Activity, Group } from './records.ts';
import type { AutoScaling } from './state.ts';

/** AWS shows the activities of six weeks; this number per group is enough for a laptop. */
const REMEMBERED = 200;

/** The time format of causes. */
export const causeTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

export interface NewActivity {
  readonly description: string;
  readonly cause: string;
  readonly instanceId: string | undefined;
  readonly zone: string;
  readonly subnetId: string;
}

/** Begins an activity, which is in progress until `endActivity`. */
export const beginActivity = (as: AutoScaling, group: Group, wanted: NewActivity): Activity => {
  const activity: Activity = {
    id: as.place.random.uuid(),
    description: wanted.description,
    cause: wanted.cause,
    instanceId: wanted.instanceId,
    startedAt: as.now(),
    details: JSON.stringify({ 'Subnet ID': wanted.subnetId, 'Availability Zone': wanted.zone }),
    endedAt: undefined,
    status: 'InProgress',
    message: undefined,
    progress: 30,
  };
  group.activities = [...group.activities, activity].slice(-REMEMBERED);
  return activity;
};

export const activityOf = (group: Group, id: string | undefined): Activity | undefined =>
  group.activities.find((activity) => activity.id === id);

/** Ends an activity and reports it to the event bus. An activity that has already ended stays unchanged. */
export const endActivity = (
  as: AutoScaling,
  group: Group,
  activity: Activity | undefined,
  { status, message }: { status: 'Successful' | 'Failed' | 'Cancelled'; message?: string },
): void => {
  if (!activity || activity.endedAt !== undefined) return;
  activity.endedAt = as.now();
  activity.status = status;
  activity.message = message;
  activity.progress = 100;
  group.scaledAt = as.now();
  emitScaling(as, group, activity);
};
