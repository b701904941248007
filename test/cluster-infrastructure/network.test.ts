import { afterEach, describe, expect, it } from 'vitest';
import { natGateways } from '../../functions/cluster/network/nat-gateways.ts';
import { network } from '../../functions/cluster/network/network.ts';
import { systemRandom } from '../../shared/random.ts';
import { asTask, startWorld, type World } from './world.ts';
import { isAwsWrite, makeExecutioner } from './faults.ts';

let world: World;
afterEach(() => world.close());

const run = async () => {
  const counter = makeExecutioner(Number.POSITIVE_INFINITY, 'after');
  const ec2 = counter.guard(world.ec2, isAwsWrite);
  const deps = { objects: world.objects, clock: world.clock, random: systemRandom, ec2: () => ec2 };
  const first = await asTask(world.clock, () => network(deps)(world.input));
  const second = await asTask(world.clock, () => natGateways(deps)(world.input));
  return { ready: [first.ready, second.ready], writes: counter.count };
};

describe('the network of a cluster', () => {
  it('is made at once, and the second run changes nothing', async () => {
    world = await startWorld();
    const first = await run();
    const second = await run();
    expect(first.ready).toEqual([true, true]);
    expect(second).toEqual({ ready: [true, true], writes: 0 });
  });
});
