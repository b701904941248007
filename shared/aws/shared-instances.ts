import type { Image, Instance } from '@aws-sdk/client-ec2';
import DataLoader from 'dataloader';
import type { Clock } from '../clock.ts';
import type { Ec2Instances } from './ec2-instances.ts';
import { createRemembered } from './remembered.ts';

/** What a type of instances is never changes; what is known of it may as well be asked again some time. */
const TYPE_SECONDS = 3600;
/** A newer image is taken a minute later. */
const IMAGE_SECONDS = 60;
/** Machines that were launched together look at the same time, more or less. */
const GATHER_MILLISECONDS = 100;
/** EC2 takes 200 values in a filter. */
const MOST_AT_ONCE = 200;

/** One call for all instances that are looked at within a moment. */
const makeLooks = (ec2: Pick<Ec2Instances, 'describeAll'>, clock: Clock) =>
  new DataLoader<string, Instance | undefined>(
    async (ids) => {
      const found = await ec2.describeAll(ids);
      return ids.map((id) => found.find(({ InstanceId }) => InstanceId === id));
    },
    {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (run) => void clock.sleep(GATHER_MILLISECONDS).then(run),
    },
  );

/**
 * The port for machines that one process works for at the same time: what is the same for all of them is asked once,
 * and where they stand is asked in one call.
 */
export const shareCalls = (ec2: Ec2Instances, clock: Clock): Ec2Instances => {
  const looks = makeLooks(ec2, clock);
  const architectures = createRemembered<string>({ clock, seconds: TYPE_SECONDS });
  const images = createRemembered<Image[]>({ clock, seconds: IMAGE_SECONDS, isKept: ({ length }) => length > 0 });
  return {
    ...ec2,
    describe: (id) => looks.load(id),
    architecture: (instanceType) => architectures.get(instanceType, () => ec2.architecture(instanceType)),
    images: (query) => images.get(JSON.stringify(query), () => ec2.images(query)),
  };
};
