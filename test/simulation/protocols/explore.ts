/**
 * Tries all orders in which actors can take their steps, and a crash before and after each step. A step is one effect:
 * a call to the table, or the start of an execution. States that were already reached in another order are not explored
 * again, so that the search ends.
 */
import { createHash } from 'node:crypto';

/** An actor that waits for its turn. */
interface Waiting {
  name: string;
  /** Carries out the effect immediately, and lets the actor continue. */
  act(): void;
  /** Carries out the effect, but the actor never gets the result. */
  actUnseen(): void;
}

interface Actor {
  name: string;
  /** The results that it got. Actors with the same name and the same results are in the same state. */
  learnt: string[];
  waiting?: Waiting | undefined;
  /** The error with which it ended. */
  failure?: Error;
  isOver: boolean;
}

/** One effect of an actor: `step(name, act)` resolves to the result of `act` when it is the actor's turn. */
export type StepOf = <T>(name: string, act: () => T) => Promise<T>;

export interface Stage {
  /** Starts another actor. */
  begin(name: string, play: (step: StepOf) => Promise<void>): void;
}

/** A protocol in its initial state. */
export interface Play {
  /** The state outside the actors as text; equal texts mean equal states. */
  state(): string;
  /** The names of errors with which actors may end. Any other error is a violation. */
  mayFail?: readonly string[];
  /** Violations of what must hold in every state. */
  judge(): string[];
  /** Violations of what must hold when no actor can continue. `crashed` is the number of actors that have crashed. */
  judgeEnd(crashed: number): Promise<string[]> | string[];
  /** Advances time until leases expire. If it exists, the exploration calls it once, at every possible moment. */
  passTime?(): void;
}

export interface Exploration {
  states: number;
  /** The largest number of steps until no actor can continue. */
  depth: number;
  ends: number;
  /** Violations, with the steps that lead to them. */
  problems: string[];
}

interface Run {
  actors: Actor[];
  play: Play;
  crashesLeft: number;
  timeLeft: number;
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const makeRun = async (setUp: (stage: Stage) => Play, limits: Limits): Promise<Run> => {
  const actors: Actor[] = [];
  const begin: Stage['begin'] = (name, play) => {
    const actor: Actor = { name, learnt: [], isOver: false };
    actors.push(actor);
    const step: StepOf = (what, act) =>
      new Promise((resolve, reject) => {
        const attempt = () => {
          try {
            return { value: act() };
          } catch (error) {
            return { error: error as Error };
          }
        };
        actor.waiting = {
          name: what,
          actUnseen: attempt,
          act: () => {
            const outcome = attempt();
            actor.learnt.push(`${what} ${JSON.stringify('error' in outcome ? String(outcome.error) : outcome.value)}`);
            if ('error' in outcome) reject(outcome.error);
            else resolve(outcome.value as never);
          },
        };
      });
    void play(step).then(
      () => {
        actor.isOver = true;
      },
      (error: Error) => {
        actor.isOver = true;
        actor.learnt.push(`failed ${error.name}`);
        actor.failure = error;
      },
    );
  };
  const play = setUp({ begin });
  await settle();
  return { actors, play, crashesLeft: limits.crashes, timeLeft: play.passTime ? 1 : 0 };
};

type Choice = { kind: 'step' | 'lost before' | 'lost after'; actor: number } | { kind: 'time' };

const choicesOf = ({ actors, crashesLeft, timeLeft }: Run): Choice[] => {
  const able = actors.flatMap(({ waiting, isOver }, actor) => (waiting && !isOver ? [actor] : []));
  const steps = able.map((actor): Choice => ({ kind: 'step', actor }));
  const losses =
    crashesLeft === 0
      ? []
      : able.flatMap((actor): Choice[] => [
          { kind: 'lost before', actor },
          { kind: 'lost after', actor },
        ]);
  return [...steps, ...losses, ...(timeLeft > 0 && able.length > 0 ? [{ kind: 'time' } as const] : [])];
};

const take = async (run: Run, choice: Choice): Promise<string> => {
  if (choice.kind === 'time') {
    run.timeLeft -= 1;
    run.play.passTime?.();
    return 'time passes';
  }
  const actor = run.actors[choice.actor] as Actor;
  const waiting = actor.waiting as Waiting;
  actor.waiting = undefined;
  if (choice.kind === 'step') {
    waiting.act();
    await settle();
  } else {
    run.crashesLeft -= 1;
    if (choice.kind === 'lost after') waiting.actUnseen();
    actor.isOver = true;
    actor.learnt = ['lost'];
    await settle();
  }
  return `${actor.name}: ${waiting.name}${choice.kind === 'step' ? '' : ` (${choice.kind})`}`;
};

/** Actors with the same name and the same results are equivalent. */
const keyOf = ({ actors, play, crashesLeft, timeLeft }: Run): string => {
  const places = actors.map(({ name, learnt, isOver }) => `${name} ${isOver} ${isOver ? '' : learnt.join()}`).sort();
  return createHash('sha1')
    .update(JSON.stringify([play.state(), places, crashesLeft, timeLeft]))
    .digest('base64');
};

/** Much more than any protocol needs: a longer run is a cycle. */
const MOST_STEPS = 200;

export interface Limits {
  /** The maximum number of actors that crash in one run. */
  crashes: number;
}

const wrongAfter = ({ play, actors }: Run, steps: number): string[] => [
  ...play.judge(),
  ...actors.flatMap(({ name, failure }) =>
    failure === undefined || play.mayFail?.includes(failure.name) ? [] : [`${name} failed: ${failure.stack}`],
  ),
  ...(steps > MOST_STEPS ? [`nobody comes to an end after ${MOST_STEPS} steps`] : []),
];

/** Explores all runs of a protocol. `setUp` recreates it with the same actors in the same state. */
export const explore = async (setUp: (stage: Stage) => Play, limits: Limits): Promise<Exploration> => {
  const seen = new Set<string>();
  const open: Choice[][] = [[]];
  const found: Exploration = { states: 0, depth: 0, ends: 0, problems: [] };
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const run = await makeRun(setUp, limits);
    const said: string[] = [];
    const accuse = (problems: readonly string[]): void =>
      void found.problems.push(...problems.map((problem) => [...said, problem].join('\n  ')));
    for (const choice of path) said.push(await take(run, choice));
    for (let steps = [...path]; found.problems.length === 0; ) {
      const key = keyOf(run);
      if (seen.has(key)) break;
      seen.add(key);
      found.states += 1;
      found.depth = Math.max(found.depth, steps.length);
      accuse(wrongAfter(run, steps.length));
      const [first, ...others] = choicesOf(run);
      if (first === undefined) {
        found.ends += 1;
        accuse(await run.play.judgeEnd(limits.crashes - run.crashesLeft));
        break;
      }
      open.push(...others.map((other) => [...steps, other]));
      steps = [...steps, first];
      said.push(await take(run, first));
    }
    if (found.problems.length > 0) break;
  }
  return found;
};
