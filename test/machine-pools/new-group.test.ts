/** A pool that is deleted while its group is created, and possibly not shown yet. */
import { CreateAutoScalingGroupCommand, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { startTestDatabase, type TestDatabase } from '../../shared/store/test-table.ts';
import { KEY, startPoolWorld } from './world.ts';

let database: TestDatabase;
let world: Awaited<ReturnType<typeof startPoolWorld>>;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
beforeEach(async () => {
  world = await startPoolWorld(database);
});
afterEach(() => world.close());

interface Creation {
  /** Whether the user deletes the pool while its group is being created. */
  isDeleted: boolean;
  /** For how many seconds Auto Scaling does not show the group. */
  hiddenFor?: number;
}

/** What happens at each creation of a group. */
const atCreation = ({ isDeleted, hiddenFor = 0 }: Creation): void => {
  const { autoScaling, clock, objects } = world;
  const send = autoScaling.send.bind(autoScaling) as (command: object) => Promise<object>;
  let end = 0;
  const sendOn = async (command: object): Promise<object> => {
    const isHidden = command instanceof DescribeAutoScalingGroupsCommand && clock.now().getTime() < end;
    if (isHidden) return { AutoScalingGroups: [], $metadata: {} };
    if (!(command instanceof CreateAutoScalingGroupCommand)) return send(command);
    end = clock.now().getTime() + hiddenFor * 1000;
    if (isDeleted) await objects.delete(kinds.machinePool, KEY);
    return send(command);
  };
  Object.assign(autoScaling, { send: sendOn });
};

/** Creates the pool, which is deleted at the same time; returns the seconds until it is gone. */
const createAndRemove = async (): Promise<number> => {
  const start = world.clock.now().getTime();
  for (let runs = 0; (await world.pool()) && runs < 10; runs += 1) await world.run();
  expect(await world.pool()).toBeUndefined();
  return (world.clock.now().getTime() - start) / 1000;
};

const refuse = () => world.account.failNext('autoscaling', 'CreateAutoScalingGroup', { code: 'AccessDenied' });

describe('a pool that is deleted while its group is created', () => {
  it('waits for the group until Auto Scaling shows it, and deletes it', async () => {
    atCreation({ isDeleted: true, hiddenFor: 120 });
    expect(await createAndRemove()).toBeGreaterThan(110);
    expect(await world.groups()).toEqual([]);
    expect(await world.templates()).toEqual([]);
    await world.pass(120);
    expect(await world.liveInstances()).toEqual([]);
  });

  it('waits for nothing once the group was seen', async () => {
    atCreation({ isDeleted: true });
    expect(await createAndRemove()).toBeLessThan(120);
    expect(await world.groups()).toEqual([]);
  });

  it('waits for nothing if Auto Scaling has refused to create the group', async () => {
    atCreation({ isDeleted: true });
    refuse();
    expect(await createAndRemove()).toBeLessThan(10);
    expect(await world.templates()).toEqual([]);
  });

  it('waits if the answer to an earlier request was lost, even if a later one was refused', async () => {
    atCreation({ isDeleted: false, hiddenFor: 120 });
    const lost = { code: 'InternalFailure', status: 500, when: 'after' } as const;
    world.account.failNext('autoscaling', 'CreateAutoScalingGroup', lost);
    await expect(world.run()).rejects.toMatchObject({ name: 'InternalFailure' });
    await world.release();
    atCreation({ isDeleted: true, hiddenFor: 120 });
    refuse();
    expect(await createAndRemove()).toBeGreaterThan(110);
    expect(await world.groups()).toEqual([]);
  });
});
