/** Launches that version 0.1 started, whose records were an annotation, and that this version completes. */
import { describe, expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { isObjectWrite, KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

let world: MachineWorld;
forEachTest((next) => {
  world = next;
});

/** Behaves as version 0.1, which had no records: a launch with a crash after its k-th effect. */
const diesBefore = async (at: number): Promise<void> => {
  const executioner = makeExecutioner(at, 'after');
  const { dependencies } = world;
  const ec2 = executioner.guard(dependencies.ec2({} as never), (method) => method === 'run');
  const objects = executioner.guard(world.stored, isObjectWrite);
  try {
    await makeInstanceSteps({ ...dependencies, objects, ec2: () => ec2 }).launchInstance(world.input, context);
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
};

const POINTS = [1, 2, 3, 4, 5, 6, 7];

describe('a launch that version 0.1 started', () => {
  it.each(POINTS)('results in one instance, and loses its annotation: interrupted after write %i', async (at) => {
    await diesBefore(at);
    const before = await world.liveInstances();

    await makeInstanceSteps(world.dependencies).launchInstance(world.input, context);
    // The first write creates the record, the next one drops the annotation: a crash in between loses nothing.
    for (let write = 0; write < 2; write += 1) {
      await world.dependencies.objects.mutate(kinds.awsMachine, KEY, (current) => ({ ...current }));
    }

    const live = await world.liveInstances();
    const stored = await world.stored.get(kinds.awsMachine, KEY);
    expect(live).toEqual([stored?.spec.instanceID]);
    if (before.length > 0) expect(live).toEqual(before);
    expect(Object.keys(stored?.metadata.annotations ?? {})).not.toContain('windlass.dev/launch');
  });

  it.each(POINTS)(
    'leaves no instance when the machine is deleted after the upgrade: interrupted after write %i',
    async (at) => {
      await diesBefore(at);
      const { terminateInstance } = makeInstanceSteps(world.dependencies);

      for (let look = 0; ; look += 1) {
        const { progress, waitSeconds } = await terminateInstance(world.input, context);
        if (progress === 'done') break;
        expect(look).toBeLessThan(100);
        world.clock.advance(Math.max(1, waitSeconds));
      }

      expect(await world.liveInstances()).toEqual([]);
    },
  );
});
