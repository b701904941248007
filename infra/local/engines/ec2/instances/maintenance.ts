/**
 * Scheduled events of instances. AWS schedules them itself, so a tag requests one on the laptop: an account has no call
 * for it.
 */
import type * as sdk from '@aws-sdk/client-ec2';
import { announcementOf } from '../../events/bus.ts';
import { AwsFault } from '../../wire/fault.ts';
import { randomHex } from '../../wire/place.ts';
import type { Instance, Maintenance } from '../records.ts';
import type { Ec2 } from '../state.ts';

/** Its value is the code of the event; removing the tag cancels the event. */
export const MAINTENANCE_TAG = 'windlass.dev/simulate-event';

/** Two weeks, which is about the notice that AWS gives. */
const LEAD_MILLISECONDS = 14 * 24 * 3_600_000;

/** The type codes of AWS Health by the codes of DescribeInstanceStatus, with EC2's description. */
const EVENTS: Readonly<Record<sdk.EventCode, readonly [type: string, description: string]>> = {
  'instance-retirement': ['AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED', 'The instance is running on degraded hardware'],
  'instance-stop': ['AWS_EC2_INSTANCE_STOP_SCHEDULED', 'The instance is running on degraded hardware'],
  'instance-reboot': ['AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED', 'The instance is scheduled for a reboot'],
  'system-reboot': ['AWS_EC2_SYSTEM_REBOOT_MAINTENANCE_SCHEDULED', 'The host is scheduled for a reboot'],
  'system-maintenance': ['AWS_EC2_INSTANCE_NETWORK_MAINTENANCE_SCHEDULED', 'The host is scheduled for maintenance'],
};

const tell = ({ bus, place }: Ec2, { id }: Instance, maintenance: Maintenance, statusCode: string): void => {
  const [eventTypeCode, description] = EVENTS[maintenance.code];
  const detail = {
    eventArn: maintenance.eventArn,
    service: 'EC2',
    eventTypeCode,
    eventTypeCategory: 'scheduledChange',
    eventScopeCode: 'ACCOUNT_SPECIFIC',
    statusCode,
    startTime: new Date(maintenance.notBefore).toUTCString(),
    lastUpdatedTime: place.clock.now().toUTCString(),
    eventDescription: [{ language: 'en_US', latestDescription: description }],
    affectedEntities: [{ entityValue: id }],
    affectedAccount: place.accountId,
  };
  bus.put(announcementOf(place, { source: 'aws.health', detailType: 'AWS Health Event', instanceIds: [id], detail }));
};

/** Throws for a tag that requests an unknown event. */
export const checkMaintenanceTag = (tags: readonly sdk.Tag[]): void => {
  const wanted = tags.find(({ Key }) => Key === MAINTENANCE_TAG)?.Value;
  if (wanted !== undefined && !(wanted in EVENTS))
    throw new AwsFault(
      'InvalidParameterValue',
      `The value of the tag ${MAINTENANCE_TAG} must be one of ${Object.keys(EVENTS).join(', ')}`,
    );
};

/** Schedules or cancels the event that the instance's tag currently requests. */
export const obeyMaintenanceTag = (ec2: Ec2, instance: Instance): void => {
  const code = instance.tags.get(MAINTENANCE_TAG) as sdk.EventCode | undefined;
  const { maintenance } = instance;
  if (maintenance?.code === code) return;
  if (maintenance) tell(ec2, instance, maintenance, 'closed');
  instance.maintenance = undefined;
  if (code === undefined) return;
  const { place } = ec2;
  const [type] = EVENTS[code];
  instance.maintenance = {
    id: `instance-event-0${randomHex(place.random, 16)}`,
    code,
    notBefore: ec2.now() + LEAD_MILLISECONDS,
    eventArn: `arn:aws:health:${place.region}::event/EC2/${type}/${type}_${place.random.uuid()}`,
  };
  tell(ec2, instance, instance.maintenance, 'upcoming');
};

/** An instance's scheduled event, as DescribeInstanceStatus shows it. */
export const maintenanceView = ({ maintenance }: Instance): sdk.InstanceStatusEvent[] =>
  maintenance
    ? [
        {
          InstanceEventId: maintenance.id,
          Code: maintenance.code,
          Description: EVENTS[maintenance.code][1],
          NotBefore: new Date(maintenance.notBefore),
        },
      ]
    : [];
