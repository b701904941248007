import { type Dice, isChecked, onDeployment, withVersion } from './change.ts';
import { fate } from './fate.ts';
import type { Judge } from './judge.ts';
import { users } from './users.ts';
import type { World } from './world.ts';

const CHANGES = { ...users, ...fate };

/** Makes a change that no controller decided; returns its description. */
export const happen = (world: World, dice: Dice, judge: Judge): string | undefined => {
  const name = dice.one(Object.keys(CHANGES)) as keyof typeof CHANGES;
  const text = CHANGES[name]?.(world, dice, judge);
  if (text) judge.disturbed();
  return text;
};

const NO_DICE: Dice = { roll: () => 0, one: (items) => items[0] };

/** Ends all disturbances, except for those that health checks have to fix, so that the desired state can be reached. */
export const calm = (world: World, judge: Judge): void => {
  world.workload.outage = false;
  if (!isChecked(world)) fate.recovery?.(world, NO_DICE, judge);
  onDeployment(world, ({ template }) => ({ template: withVersion(template, world) }));
  onDeployment(world, () => ({ paused: false }));
  judge.disturbed();
};
