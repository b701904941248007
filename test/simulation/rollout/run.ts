import { boundsOf } from '../../../shared/plan/rollout/bounds.ts';
import { rolesOf } from '../../../shared/plan/rollout/current-set.ts';
import { seededNumbers } from '../../../shared/seeded-random.ts';
import {
  advanceMachine,
  isAvailable,
  labelOf,
  machinesOf,
  newWorld,
  reconcileDeployment,
  reconcileSet,
  type Shape,
  type World,
} from './world.ts';

/**
 * A change by a user, or a disturbance. It happens when the world has settled, or this number of steps after the last
 * one.
 */
export interface Happening {
  says: string;
  after?: number;
  do: (world: World) => void;
}

export interface Story {
  shape: Shape;
  happenings: readonly Happening[];
  /** Determines a random order of the controllers; without it, they run one after the other. */
  seed?: number;
}

/** One line of the transcript: an actor and its action. Without an actor, it is a remark. */
interface Line {
  actor: string;
  text: string;
}

/** One controller. `step` returns lines with its changes. */
interface Controller {
  name: string;
  step: () => string[];
}

/**
 * The bounds of a rollout between two disturbances, which may violate them. The bounds apply to decisions, not only to
 * their results: a machine that is wanted counts as existing, and a machine that must be deleted counts as an available
 * one.
 */
const makeJudge = (world: World) => {
  let most = 0;
  let fewest = 0;
  const totals = () => {
    const sets = world.sets.map((set) => {
      const machines = machinesOf(world, set);
      const available = machines.filter(isAvailable).length;
      const live = machines.filter(({ metadata }) => !metadata.deletionTimestamp).length;
      const leaving = Math.max(live - (set.spec.replicas ?? 0), 0);
      return {
        total: Math.max(set.spec.replicas ?? 0, machines.length),
        available: available - Math.min(available, leaving),
      };
    });
    const sum = (key: 'total' | 'available') => sets.reduce((total, set) => total + set[key], 0);
    return { total: sum('total'), available: sum('available') };
  };
  return {
    /** Uses the current state of the world as the starting point. */
    begin: () => {
      const { replicas, maxSurge, maxUnavailable } = boundsOf(world.deployment);
      const { total, available } = totals();
      most = Math.max(replicas + maxSurge, total);
      fewest = Math.min(replicas - maxUnavailable, available);
    },
    judge: (): string | undefined => {
      const { total, available } = totals();
      // Improvements since the start must not be lost.
      const { replicas, maxSurge, maxUnavailable } = boundsOf(world.deployment);
      most = Math.max(replicas + maxSurge, Math.min(most, total));
      fewest = Math.min(replicas - maxUnavailable, Math.max(fewest, available));
      if (total > most) return `${total} machines exist or are wanted, ${most} are allowed`;
      if (available < fewest) return `${available} machines may be left available, ${fewest} are required`;
      return undefined;
    },
  };
};

const controllersOf = (world: World): Controller[] => [
  { name: 'deployment', step: () => reconcileDeployment(world) },
  ...world.sets.map(({ metadata: { name } }) => ({
    name: labelOf(world, name),
    step: () => {
      const set = world.sets.find(({ metadata }) => metadata.name === name);
      return set ? reconcileSet(world, set) : [];
    },
  })),
  ...world.machines.map(({ metadata: { name } }) => ({
    name: labelOf(world, name),
    step: () => {
      const machine = world.machines.find(({ metadata }) => metadata.name === name);
      return machine ? advanceMachine(world, machine) : [];
    },
  })),
];

const shuffled = <Item>(items: readonly Item[], next: () => number): Item[] => {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [list[at], list[other]] = [list[other] as Item, list[at] as Item];
  }
  return list;
};

/** The sets and their machines, in one line. */
const summaryOf = (world: World): string => {
  const { current } = rolesOf(world.deployment, world.sets, world.now);
  const sets = world.sets.map((set) => {
    const machines = machinesOf(world, set);
    const names = machines.map(({ metadata }) => labelOf(world, metadata.name)).join(' ');
    const available = machines.filter(isAvailable).length;
    return `${labelOf(world, set.metadata.name)}${set === current ? '*' : ''} ${machines.length}/${set.spec.replicas} (${available} available${names ? `: ${names}` : ''})`;
  });
  return sets.join(', ') || 'nothing';
};

/** Enough for every story that settles. */
const MAX_ROUNDS = 400;

export interface Outcome {
  world: World;
  lines: Line[];
  /** Violations of the bounds, with the steps that caused them. */
  breaches: string[];
}

/** Runs a story until nothing changes any more. Throws if it does not settle. */
export const play = ({ shape, happenings, seed }: Story): Outcome => {
  const world = newWorld(shape);
  const lines: Line[] = [];
  const breaches: string[] = [];
  const judge = makeJudge(world);
  const next = seed === undefined ? undefined : seededNumbers(seed);
  const open = [...happenings];
  let sinceLast = 0;
  judge.begin();
  const happen = (happening: Happening): void => {
    lines.push({ actor: '', text: `${summaryOf(world)}` }, { actor: '', text: `> ${happening.says}` });
    happening.do(world);
    judge.begin();
    sinceLast = 0;
  };
  const act = ({ name, step }: Controller): boolean => {
    const texts = step();
    world.now = new Date(world.now.getTime() + 1000);
    lines.push(...texts.map((text) => ({ actor: name, text })));
    if (texts.length > 0) sinceLast += 1;
    const breach = judge.judge();
    if (breach) breaches.push(`${name} ${texts.join('; ')}: ${breach}`);
    const due = open[0];
    if (due?.after !== undefined && sinceLast >= due.after) happen(open.shift() as Happening);
    return texts.length > 0;
  };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const controllers = controllersOf(world);
    const changed = (next ? shuffled(controllers, next) : controllers).map(act).some(Boolean);
    if (changed) continue;
    const due = open.shift();
    if (!due) {
      lines.push({ actor: '', text: summaryOf(world) });
      return { world, lines, breaches };
    }
    happen(due);
  }
  throw new Error(`the rollout does not come to rest: ${summaryOf(world)}`);
};

/** The transcript as text. */
export const transcript = (title: string, { lines }: Outcome): string =>
  `${title}\n\n${lines.map(({ actor, text }) => (actor ? `  ${actor.padEnd(12)}${text}` : text)).join('\n')}\n`;
