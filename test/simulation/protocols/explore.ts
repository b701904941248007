/**
 * Tries every order in which actors can take their steps, and a crash before and after each of them. A step is one
 * effect: a call to the table, or the start of an execution. States that were reached before in another order are not
 * continued again, so that the search ends.
 */
import { createHash } from 'node:crypto';

/** How an actor waits for its turn. */
interface Waiting {
  name: string;
  /** Carries out the effect immediately, and lets the actor continue. */
  act(): void;
  /** Carries out the effect; the actor never gets the result. */
  actUnseen(): void;
}

interface Actor {
  name: string;
  /** The results that it got: it is in the same state as another actor with the same results. */
  learnt: string[];
  waiting?: Waiting | undefined;
  isOver: boolean;
}

/** One effect of an actor: `step(name, act)` resolves with the result of `act` when it is the actor's turn. */
export type StepOf = <T>(name: string, act: () => T) => Promise<T>;

export interface Stage {
  /** Starts another actor. */
  begin(name: string, play: (step: StepOf) => Promise<void>): void;
}

/** A protocol in its first state. */
export interface Play {
  /** The state outside the actors, as text: equal texts mean equal states. */
  state(): string;
  /** What must hold in every state. */
  judge(): string[];
  /** What must hold when no actor can continue. `crashed`: how many actors have crashed. */
  judgeEnd(crashed: number): Promise<string[]> | string[];
  /** Advances time so far that leases expire; if given, it happens once at every moment. */
  passTime?(): void;
}

export interface Exploration {
  states: number;
  /** The maximum number of steps until no actor could continue. */
  depth: number;
  ends: number;
  /** What was violated, with the steps that led there. */
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

/** Actors of the same name with the same results are equivalent. */
const keyOf = ({ actors, play, crashesLeft, timeLeft }: Run): string => {
  const places = actors.map(({ name, learnt, isOver }) => `${name} ${isOver} ${isOver ? '' : learnt.join()}`).sort();
  return createHash('sha1')
    .update(JSON.stringify([play.state(), places, crashesLeft, timeLeft]))
    .digest('base64');
};

/** Many times what any protocol needs: a run with more steps is a cycle. */
const MOST_STEPS = 200;

export interface Limits {
  /** How many actors may crash in one run. */
  crashes: number;
}

const wrongAfter = ({ play }: Run, steps: number): string[] => [
  ...play.judge(),
  ...(steps > MOST_STEPS ? [`nobody comes to an end after ${MOST_STEPS} steps`] : []),
];

/** Explores every run of a protocol. `setUp` creates it again, with the same actors in the same state. */
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
