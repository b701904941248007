import { announcementOf } from '../../events/bus.ts';
import { AwsFault } from '../../wire/fault.ts';
import type { Instance } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { terminate } from './state.ts';
import { lifeOf } from './view.ts';

/** The time between EC2's warning and the interruption of a spot instance. */
const WARNING_MILLISECONDS = 120_000;

const BY_EC2 = {
  code: 'Server.SpotInstanceTermination',
  message: 'Server.SpotInstanceTermination: Spot Instance termination',
};

const tell = ({ bus, place }: Ec2, { id }: Instance, detailType: string, detail: object = {}): void =>
  bus.put(
    announcementOf(place, {
      source: 'aws.ec2',
      detailType,
      instanceIds: [id],
      detail: { 'instance-id': id, ...detail },
    }),
  );

/**
 * Reclaims a spot instance in `milliseconds`: with a rebalance recommendation now, the warning two minutes before the
 * end, and then its termination. Throws for an instance that is not on the spot market or not running.
 */
export const interruptSpot = (ec2: Ec2, instance: Instance, milliseconds: number): void => {
  const refuse = (what: string) => new AwsFault('ValidationException', `Instance ${instance.id} ${what}`);
  if (!instance.isSpot) throw refuse('is not a Spot Instance');
  if (lifeOf(ec2, instance) !== 'running') throw refuse('is not running');
  const end = ec2.now() + milliseconds;
  instance.rebalanceAt = ec2.now();
  tell(ec2, instance, 'EC2 Instance Rebalance Recommendation');
  ec2.bus.later(end - WARNING_MILLISECONDS, () => {
    if (lifeOf(ec2, instance) !== 'running') return;
    tell(ec2, instance, 'EC2 Spot Instance Interruption Warning', { 'instance-action': 'terminate' });
  });
  terminate(ec2, instance, BY_EC2, end);
};
