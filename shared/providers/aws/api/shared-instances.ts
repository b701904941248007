import type { Image, Instance } from '@aws-sdk/client-ec2';
import DataLoader from 'dataloader';
import type { Clock } from '../../../clock.ts';
import type { Ec2Instances } from './ec2-instances.ts';
import { createRemembered } from './remembered.ts';

/** An instance type never changes, but its data may still be read again from time to time. */
const TYPE_SECONDS = 3600;
/** A newer image is used at most a minute later. */
const IMAGE_SECONDS = 60;
/** Machines that were launched together are checked at about the same time. */
const GATHER_MILLISECONDS = 100;
/** EC2 accepts 200 values in a filter. */
const MOST_AT_ONCE = 200;

/**
 * Whether the awaited state is reached: terminated is permanent, and running lasts until the instance is stopped or
 * terminated.
 */
const hasArrived = (instance: Instance | undefined): boolean =>
  instance?.State?.Name === 'running' || instance?.State?.Name === 'terminated';

/** How long it is cached that an instance is running or gone. */
const ARRIVED_SECONDS = 10;
/** An instance that has not started within this time is only read by its own execution. */
const EXPECTED_SECONDS = 60;

/** The instances for which callers here wait. Each read covers all of them, and the next caller finds its own. */
const makeWaiting = (clock: Pick<Clock, 'now'>) => {
  const arrived = createRemembered<Instance | undefined>({ clock, seconds: ARRIVED_SECONDS, isKept: hasArrived });
  const expected = new Map<string, number>();
  const now = (): number => clock.now().getTime();
  return {
    expect: (id: string): void => {
      arrived.forget(id);
      expected.set(id, now() + EXPECTED_SECONDS * 1000);
    },
    /** The requested instances and, as far as the limit allows, the expected ones. */
    with: (asked: readonly string[]): string[] => {
      for (const [id, until] of expected) if (until <= now()) expected.delete(id);
      return [...new Set([...asked, ...expected.keys()])].slice(0, MOST_AT_ONCE);
    },
    note: (found: readonly Instance[]): void => {
      for (const instance of found) {
        if (!hasArrived(instance)) continue;
        const { InstanceId = '' } = instance;
        expected.delete(InstanceId);
        arrived.forget(InstanceId);
        void arrived.get(InstanceId, async () => instance);
      }
    },
    /** The result of the last read if the instance has reached its state, and otherwise that of `ask`. */
    look: (id: string, ask: () => Promise<Instance | undefined>) => arrived.get(id, ask),
  };
};

/** One call for all instances that are requested within a moment, and for the expected ones. */
const makeLooks = (ec2: Pick<Ec2Instances, 'describeAll'>, clock: Clock, waiting: ReturnType<typeof makeWaiting>) =>
  new DataLoader<string, Instance | undefined>(
    async (ids) => {
      const found = await ec2.describeAll(waiting.with(ids));
      waiting.note(found);
      return ids.map((id) => found.find(({ InstanceId }) => InstanceId === id));
    },
    {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (run) => void clock.sleep(GATHER_MILLISECONDS).then(run),
    },
  );

/**
 * The port for machines that one process handles concurrently: common data are requested once, and the machines' states
 * in one call.
 */
export const shareCalls = (ec2: Ec2Instances, clock: Clock): Ec2Instances => {
  const waiting = makeWaiting(clock);
  const looks = makeLooks(ec2, clock, waiting);
  const architectures = createRemembered<string>({ clock, seconds: TYPE_SECONDS });
  const images = createRemembered<Image[]>({ clock, seconds: IMAGE_SECONDS, isKept: ({ length }) => length > 0 });
  return {
    ...ec2,
    run: async (input) => {
      const instance = await ec2.run(input);
      if (instance?.InstanceId && !hasArrived(instance)) waiting.expect(instance.InstanceId);
      return instance;
    },
    terminate: async (id) => {
      await ec2.terminate(id);
      waiting.expect(id);
    },
    describe: (id) => waiting.look(id, () => looks.load(id)),
    architecture: (instanceType) => architectures.get(instanceType, () => ec2.architecture(instanceType)),
    images: (query) => images.get(JSON.stringify(query), () => ec2.images(query)),
  };
};
