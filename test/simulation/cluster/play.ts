import { eventRows } from '../../../infra/cli/docs/event-catalogues.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { seededNumbers } from '../../../shared/seeded-random.ts';
import { type Course, type Director, randomDirector, repeatingDirector } from './course.ts';
import { ALL_CHANGES, calm, happen } from './happenings.ts';
import { type Judge, makeJudge } from './judge.ts';
import { advance } from './life.ts';
import { unmet } from './spec.ts';
import { makeWorld, stepsOfPass, type World } from './world.ts';

export interface Scenario {
  seed: number;
  /** The number of kinds of changes that were possible. */
  changes: number;
  course: Course;
  /** The transcript, in order. */
  lines: string[];
  /** Violations, each with the line after which it was found, and the step that caused it. */
  breaches: string[];
  happenings: number;
  passes: number;
  /** The duration of the simulated cluster's life. */
  simulatedSeconds: number;
}

/** The run of one scenario. */
interface Run {
  scenario: Scenario;
  world: World;
  judge: Judge;
}

const later = (world: World, seconds: number): void => {
  world.now = new Date(world.now.getTime() + seconds * 1000);
};

const judged = async ({ scenario, judge }: Run, who: string, act: () => Promise<unknown>): Promise<void> => {
  judge.before();
  await act();
  const breaches = judge.after(who).map((text) => `after line ${scenario.lines.length}, ${who}: ${text}`);
  scenario.breaches.push(...breaches);
};

/** One pass of the controllers, in the order of the workflow. `between` runs concurrent events after each step. */
const pass = async (run: Run, between: () => Promise<void> = async () => {}): Promise<void> => {
  run.scenario.passes += 1;
  for (const { name, act } of await stepsOfPass(run.world)) {
    await judged(run, name, act);
    await between();
  }
};

const live = (run: Run, name: string): Promise<void> =>
  judged(run, name, async () => {
    const said = await advance(run.world, name);
    if (said) run.scenario.lines.push(`${name} ${said}`);
  });

const namesOf = ({ objects }: World): string[] => objects.all(kinds.machine).map(({ metadata }) => metadata.name);

/** Runs passes, machines and disturbances in random order, with disturbances also in the middle of steps. */
const disturb = async (run: Run, director: Director): Promise<void> => {
  const { world, scenario, judge } = run;
  const maybe = (when: Parameters<Director['moment']>[0]): void =>
    director.moment(when, (dice) => {
      const said = happen(world, dice, judge, scenario.changes);
      if (!said) return false;
      scenario.happenings += 1;
      scenario.lines.push(`> ${said}`);
      return true;
    });
  world.beside = () => maybe('within a step');
  for (let dice = director.turn(); dice; dice = director.turn()) {
    const { roll, one } = dice;
    const someLive = async (): Promise<void> => {
      for (let more = roll(4); more > 0; more -= 1) {
        const machine = one(namesOf(world));
        if (machine) await live(run, machine);
      }
    };
    later(world, 1 + roll(20));
    if (roll(3) === 0) await pass(run, someLive);
    else await someLive();
    maybe('at the end');
  }
  world.beside = () => {};
};

const MOST_ROUNDS = 300;
const QUIET_ROUNDS = 3;
const ROUND_SECONDS = 30;
/** Longer than any timeout of the objects, so that a pending timeout is not mistaken for the end. */
const QUIET_SECONDS = 600;

const versionsOf = ({ objects }: World): string =>
  [kinds.machine, kinds.machineSet, kinds.machineDeployment, kinds.kubeadmControlPlane]
    .flatMap((kind) => objects.all(kind as typeof kinds.machine).map(({ metadata }) => metadata.resourceVersion))
    .join();

/** Continues without disturbances until nothing changes any more. False if the world does not settle. */
const settle = async (run: Run): Promise<boolean> => {
  let quiet = 0;
  for (let round = 0; round < MOST_ROUNDS && quiet < QUIET_ROUNDS; round += 1) {
    const before = versionsOf(run.world);
    await pass(run);
    for (const name of namesOf(run.world)) await live(run, name);
    quiet = versionsOf(run.world) === before ? quiet + 1 : 0;
    later(run.world, quiet > 0 ? QUIET_SECONDS : ROUND_SECONDS);
  }
  return quiet >= QUIET_ROUNDS;
};

const LISTED = new Set(eventRows().map(({ kind, type, reason }) => `${type} event ${reason} on a ${kind}`));

/** Recorded events that are missing in docs/events.md. */
const unlistedEvents = ({ objects }: World): string[] => {
  const events = objects.all(kinds.event);
  const recorded = events.map(
    ({ type, reason, involvedObject }) => `${type} event ${reason} on a ${involvedObject?.kind}`,
  );
  return [...new Set(recorded)].filter((one) => !LISTED.has(one)).map((one) => `no catalogue lists the ${one}`);
};

/**
 * Runs the scenario of a seed until it ends, with the first `changes` kinds of changes. `applied` contains the objects
 * of the cluster as the API stores them. With `course`, that of an earlier run is repeated.
 */
export const play = async (
  applied: readonly KubeObject[],
  seed: number,
  changes: number = ALL_CHANGES,
  course?: Course,
): Promise<Scenario> => {
  // Half of the clusters have health checks.
  const isLeftOut = ({ kind }: KubeObject) => kind === 'MachineHealthCheck' && seed % 2 === 0;
  const world = makeWorld(
    applied.filter((object) => !isLeftOut(object)),
    seed,
  );
  const begun = world.now.getTime();
  const director = course ? repeatingDirector(course) : randomDirector(seededNumbers(seed));
  const counts = { happenings: 0, passes: 0, simulatedSeconds: 0 };
  const scenario: Scenario = { seed, changes, course: director.course(), lines: [], breaches: [], ...counts };
  const run: Run = { scenario, world, judge: makeJudge(world) };
  await disturb(run, director);
  calm(world, run.judge);
  scenario.lines.push('> all is calm');
  const rests = await settle(run);
  const left = unmet(world);
  scenario.breaches.push(...(rests ? left : [`does not come to rest: ${left.join('; ')}`]), ...unlistedEvents(world));
  scenario.simulatedSeconds = (world.now.getTime() - begun) / 1000;
  return scenario;
};

/** A scenario as text. */
export const told = ({ seed, lines, breaches }: Scenario): string =>
  [`seed ${seed}`, ...lines.map((line, at) => `${at + 1}: ${line}`), ...breaches.map((text) => `BROKEN ${text}`)].join(
    '\n',
  );
