import { type Change, type Dice, isChecked, onDeployment, withVersion } from './change.ts';
import { fate } from './fate.ts';
import { furtherUsers, withdraw } from './further-users.ts';
import type { Judge } from './judge.ts';
import { users } from './users.ts';
import type { World } from './world.ts';

/** New changes come last, so that the seeds of former scenarios can still use only those of their time. */
const CHANGES: Readonly<Record<string, Change>> = { ...users, ...fate, ...furtherUsers };
export const ALL_CHANGES = Object.keys(CHANGES).length;

/** Makes one of the first `changes` changes, which no controller decided; returns its description. */
export const happen = (world: World, dice: Dice, judge: Judge, changes: number): string | undefined => {
  const change = dice.one(Object.values(CHANGES).slice(0, changes));
  const text = change?.(world, dice, judge);
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
  withdraw(world);
  judge.disturbed();
};
