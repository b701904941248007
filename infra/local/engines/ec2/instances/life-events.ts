import { announcementOf } from '../../events/bus.ts';
import type { Instance } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { momentAt } from '../timeline.ts';

/**
 * Reports each state of an instance at its time, beginning with those at `from`, in milliseconds since 1970. States
 * that another request has made obsolete by then are not reported.
 */
export const announceLife = ({ bus, place, now }: Ec2, instance: Instance, from: number): void => {
  for (const moment of instance.timeline.filter(({ at }) => at >= from))
    bus.later(moment.at, () => {
      if (momentAt(instance.timeline, now()) !== moment) return;
      const detail = { 'instance-id': instance.id, state: moment.state };
      const detailType = 'EC2 Instance State-change Notification';
      bus.put(announcementOf(place, { source: 'aws.ec2', detailType, instanceIds: [instance.id], detail }));
    });
};
