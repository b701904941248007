/** A step of random changes, after which the cluster must reach the desired state of its objects. */
import { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import { EC2Client } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Scene } from '../actors/happenings.ts';
import { type Fault, STRIKE_KINDS } from '../faults/kinds.ts';
import type { Step } from '../stories/step.ts';
import { disturbedStory } from '../stories/stories.ts';
import type { StoryName } from '../stories/story-names.ts';
import { type Sizes, type User, unlessGone } from '../user.ts';
import type { World } from '../world.ts';
import { ACCIDENTS } from './accidents.ts';
import { ALONE, HEALTH_CHECKS } from './alone.ts';
import { calm, release } from './calm.ts';
import { type Change, type Dice, diceOf, type Place } from './change.ts';
import { CONTROL_PLANES } from './control-plane.ts';
import { CLASS_COPIES, COPIES } from './copies.ts';
import { additionalListeners, ENDPOINT, endpointOf } from './endpoint.ts';
import { FOUNDATION, foundationOf } from './foundation.ts';
import { GROUPS } from './group.ts';
import { referredObjects } from './lost.ts';
import { type Most, makeMost } from './most.ts';
import { POOLS } from './pool.ts';
import { makeQuiet, type Quiet } from './quiet.ts';
import { BALANCING, requestPass, SERVICES } from './services.ts';
import { TOPOLOGIES } from './topology.ts';
import { unmetIn } from './unmet.ts';
import { WORKERS } from './workers.ts';

type Parts = Readonly<Record<string, Readonly<Record<string, Change>>>>;

const EVERYWHERE: Parts = {
  workers: WORKERS,
  'control-plane': CONTROL_PLANES,
  accidents: ACCIDENTS,
  foundation: FOUNDATION,
  endpoint: ENDPOINT,
  copies: COPIES,
};

const POOL_PARTS: Parts = { pool: POOLS, group: GROUPS, alone: ALONE, checks: HEALTH_CHECKS };
const FURTHER: Readonly<Partial<Record<StoryName, Parts>>> = {
  topology: { topology: TOPOLOGIES, class: CLASS_COPIES, alone: ALONE },
  rke2: { checks: HEALTH_CHECKS },
  services: { services: SERVICES, balancing: BALANCING, alone: ALONE, checks: HEALTH_CHECKS },
};

/** The changes of a story, by name: `<part>.<change>`. */
export const changesOf = (story: StoryName): ReadonlyMap<string, Change> =>
  new Map(
    Object.entries({ ...EVERYWHERE, ...(FURTHER[story] ?? POOL_PARTS) }).flatMap(([part, changes]) =>
      Object.entries(changes).map(([name, change]): [string, Change] => [`${part}.${name}`, change]),
    ),
  );

const selected = (story: StoryName, only: readonly string[] | undefined): readonly Change[] =>
  [...changesOf(story)].flatMap(([name, change]) => (only === undefined || only.includes(name) ? [change] : []));

/** Most changes follow so quickly that the work for the previous one is still in progress. */
const PAUSES_SECONDS = [0, 2, 10, 30, 60, 180];
const FEWEST = 4;
/** The number of attempts for each change, because not all changes are possible. */
const TRIES = 10;
export interface Disturbances {
  /** The maximum number of changes. */
  most: number;
  /** The names of the only changes that are made; all changes if absent. */
  only?: readonly string[];
  /** Functions have no faults during the changes. */
  isWithoutFaults?: boolean;
}

interface Setting {
  scene: Scene;
  wait(milliseconds: number): Promise<void>;
  say(text: string): void;
  accuse(breaches: readonly string[]): void;
  /** Determines the changes. If undefined, there are none. */
  seed(): number | undefined;
}

/** After this time, there are no more changes, however few there were. */
const LONGEST_MILLISECONDS = 20 * 60_000;

const disturb = async (
  place: Place,
  dice: Dice,
  { most, changes }: { most: number; changes: readonly Change[] },
  { wait, say }: Setting,
): Promise<void> => {
  const wanted = Math.min(most, FEWEST + dice.roll(Math.max(1, most - FEWEST + 1)));
  const end = Date.now() + LONGEST_MILLISECONDS;
  for (let made = 0, tries = 0; made < wanted && tries < wanted * TRIES && Date.now() < end; tries += 1) {
    const said = (await dice.one(changes)?.(place, dice).catch(unlessGone)) ?? undefined;
    if (said === undefined) continue;
    made += 1;
    say(`CHANGE ${said}`);
    await wait(1000 * (1 + dice.roll(1 + (dice.one(PAUSES_SECONDS) ?? 0))));
  }
};

/** Longer than a fault delays a request. */
const LATE_MILLISECONDS = 30_000;
const MINUTES_LATE_MILLISECONDS = 250_000;

/** One effect in this many has a fault. */
const ODDS = 80;
/** Separate dice, so that faults do not affect the selection of changes. */
const OF_FAULTS = 1_000_000;

/** Work of users that continues during other changes. */
const makeBackground = (accuse: Setting['accuse']) => {
  let open = 0;
  const begin = (work: () => Promise<void>): void => {
    open += 1;
    work()
      .catch((error: unknown) => accuse([`${error}`]))
      .finally(() => {
        open -= 1;
      });
  };
  return { begin, isBusy: () => open > 0 };
};

/** The state before the first change. */
const placeIn = async (
  world: World,
  user: User,
  { scene, wait, ...rest }: Pick<Setting, 'scene' | 'wait'> & Pick<Place, 'begin' | 'mayLackPool' | 'hasDuties'>,
): Promise<Place> => ({
  ...{ world, user, autoScaling: new AutoScalingClient({}), ec2: new EC2Client({}) },
  ...{ elb: new ElasticLoadBalancingClient({}), elbv2: new ElasticLoadBalancingV2Client({}) },
  ...{ foundation: foundationOf(world.account), referred: await referredObjects(user) },
  ...{ endpoint: endpointOf(world.account), listeners: await additionalListeners({ user }) },
  ...{ hasMixedTypes: false, isCopying: false, mayLackPool: rest.mayLackPool, hasDuties: rest.hasDuties },
  ...{ happen: scene.happen, state: scene.state, begin: rest.begin, wait },
});

export interface RandomChanges {
  story: readonly Step[] | undefined;
  /** More instances than the objects want, after the changes have begun. */
  instanceBreaches(): string[];
  faultsAt(effect: number): readonly Fault[];
}

/**
 * The random changes of a lifecycle, and the faults of functions during them. Without `disturbances`, there are none.
 */
export const makeDisturbances = (
  { sizes, story, disturbances }: { sizes: Sizes; story: StoryName; disturbances?: Disturbances },
  setting: Setting,
): RandomChanges => {
  if (disturbances === undefined) return { story: undefined, instanceBreaches: () => [], faultsAt: () => [] };
  const { scene, say } = setting;
  let place: Place | undefined;
  let faults: Dice | undefined;
  let quiet: Quiet | undefined;
  let most: Most | undefined;
  let isPassRequested = false;
  /** How long faults may have delayed a request, in milliseconds. */
  let late = 0;
  const background = makeBackground(setting.accuse);
  const step: Step = {
    name: 'changes at random',
    sizes: { ...sizes, others: story in FURTHER ? 0 : 2 },
    isFree: true,
    act: async (user, world) => {
      const seed = setting.seed();
      if (seed === undefined) return;
      const { begin } = background;
      const hasDuties = story === 'services';
      place = await placeIn(world, user, { ...setting, begin, mayLackPool: story in FURTHER, hasDuties });
      quiet = makeQuiet(world);
      // The objects say how many machines there may be.
      scene.state.extraInstances = Number.POSITIVE_INFINITY;
      most = makeMost(world.account);
      faults = disturbances.isWithoutFaults ? undefined : diceOf(seed + OF_FAULTS);
      const changes = selected(story, disturbances.only);
      const said = (text: string): void => {
        most?.look();
        say(text);
      };
      await disturb(place, diceOf(seed), { most: disturbances.most, changes }, { ...setting, say: said });
      faults = undefined;
      // A write that was reported as failed may be carried out later, and would restore an object that was deleted
      // before.
      if (late > 0) await setting.wait(late);
      late = 0;
      say('CHANGE all is calm');
      await calm(place);
    },
    lacks: async () => {
      const at = place;
      // Not earlier: as long as descriptions are outdated, a pass does not see everything.
      if (at?.hasDuties && !isPassRequested) await requestPass(at);
      isPassRequested = true;
      return (
        at &&
        quiet?.lacks(async () => {
          await release(at);
          return background.isBusy() ? ['a copy is still there'] : unmetIn(at);
        })
      );
    },
  };
  return {
    story: disturbedStory(story, sizes, step),
    instanceBreaches: () => most?.breaches() ?? [],
    faultsAt: (effect) => {
      if (faults === undefined || faults.roll(ODDS) > 0) return [];
      const kind = faults.one(STRIKE_KINDS) ?? 'dies before';
      if (kind === 'outlives its caller' || kind === 'arrives late') late = Math.max(late, LATE_MILLISECONDS);
      if (kind === 'arrives minutes late') late = MINUTES_LATE_MILLISECONDS;
      return [{ effect, kind }];
    },
  };
};
