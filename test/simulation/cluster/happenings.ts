import { kinds } from '../../../shared/kinds/index.ts';
import { accidents } from './accidents.ts';
import { type Change, type Dice, isChecked, onDeployment, withVersion } from './change.ts';
import { fate } from './fate.ts';
import { furtherUsers, withdraw } from './further-users.ts';
import type { Judge } from './judge.ts';
import { rareChanges } from './rare-changes.ts';
import { users } from './users.ts';
import { DEPLOYMENT, type World } from './world.ts';

/**
 * New changes are added at the end, so that older seeds can still use exactly the changes that existed at their time.
 */
const CHANGES: Readonly<Record<string, Change>> = { ...users, ...fate, ...furtherUsers, ...accidents, ...rareChanges };
export const ALL_CHANGES = Object.keys(CHANGES).length;

/** Makes one of the first `changes` kinds of changes, independently of the controllers. Returns its description. */
export const happen = (world: World, dice: Dice, judge: Judge, changes: number): string | undefined => {
  const deployments = world.objects.all(kinds.machineDeployment).map(({ metadata }) => metadata.name);
  world.deployment = (deployments.length > 1 ? dice.one(deployments) : undefined) ?? DEPLOYMENT;
  const change = dice.one(Object.values(CHANGES).slice(0, changes));
  const text = change?.(world, dice, judge);
  if (text) judge.disturbed();
  return text;
};

const NO_DICE: Dice = { roll: () => 0, one: (items) => items[0] };

/** Ends all disturbances, except for those that health checks must repair, so that the desired state can be reached. */
export const calm = (world: World, judge: Judge): void => {
  world.workload.outage = false;
  if (!isChecked(world)) fate.recovery?.(world, NO_DICE, judge);
  for (const { name } of world.workload.etcd?.members() ?? []) world.workload.etcd?.setFull(name, false);
  for (const { metadata } of world.objects.all(kinds.machineDeployment)) {
    world.deployment = metadata.name;
    onDeployment(world, ({ template }) => ({ template: withVersion(template, world) }));
    onDeployment(world, () => ({ paused: false }));
  }
  withdraw(world);
  judge.disturbed();
};
