/** An editor names the bootstrap data of another tenant's machine in an AWSMachine. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DriftWorld, startDriftWorld } from './drift-world.ts';
import { isMarkedForDeletion, markForDeletion } from './secret-rows.ts';

let world: DriftWorld;
beforeEach(async () => {
  world = await startDriftWorld();
});
afterEach(() => world.close());

it('a secret of another machine that was marked for deletion is not restored by a sweep', async () => {
  await world.setPolicy('BootstrapSecret=Repair');
  await markForDeletion(world, 'uid-of-the-victim');
  world.calls.length = 0;

  await world.sweep();

  expect(await isMarkedForDeletion(world)).toBe(true);
  expect(world.calls).toEqual([]);
});
