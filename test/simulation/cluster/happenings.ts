import { kinds } from '../../../shared/kinds/index.ts';
import { accidents } from './accidents.ts';
import { type Change, type Dice, isChecked, onDeployment, withVersion } from './change.ts';
import { fate } from './fate.ts';
import { furtherUsers, withdraw } from './further-users.ts';
import type { Judge } from './judge.ts';
import { rareChanges } from './rare-changes.ts';
import { users } from './users.ts';
import { DEPLOYMENT, type World } from './world.ts';

/** New changes come last, so that the seeds of former scenarios can still use only those of their time. */
const CHANGES: Readonly<Record<string, Change>> = { ...users, ...fate, ...furtherUsers, ...accidents, ...rareChanges };
export const ALL_CHANGES = Object.keys(CHANGES).length;

/** Makes one of the first `changes` changes, which no controller decided; returns its description. */
export const happen = (world: World, dice: Dice, judge: Judge, changes: number): string | undefined => {
  const deployments = world.objects.all(kinds.machineDeployment).map(({ metadata }) => metadata.name);
  world.deployment = (deployments.length > 1 ? dice.one(deployments) : undefined) ?? DEPLOYMENT;
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
  for (const { name } of world.workload.etcd?.members() ?? []) world.workload.etcd?.setFull(name, false);
  for (const { metadata } of world.objects.all(kinds.machineDeployment)) {
    world.deployment = metadata.name;
    onDeployment(world, ({ template }) => ({ template: withVersion(template, world) }));
    onDeployment(world, () => ({ paused: false }));
  }
  withdraw(world);
  judge.disturbed();
};
