/** One life of a cluster, from the first object to the last trace, with at most one fault. */
import { createHash } from 'node:crypto';
import { watchEdge } from './boundary.ts';
import { type Fault, makeAdversary } from './faults.ts';
import { purposeOf } from './invocations.ts';
import { instanceBreaches, inventoryOf, makeGenerations, remains, secretBreach } from './judge.ts';
import { type Step, storyOf, whatIsMissing } from './stories.ts';
import type { StoryName } from './story-names.ts';
import { makeUser, type Sizes, type User } from './user.ts';
import type { VirtualProcess } from './virtual/process.ts';
import { startWorld, type World } from './world.ts';

export interface LifeOptions {
  seed: number;
  story: StoryName;
  sizes: Sizes;
  fault?: Fault;
  /** The cloud assembly. */
  outdir: string;
}

export interface Life {
  transcript: readonly string[];
  /** Of the transcript. */
  hash: string;
  /** What must not happen and did. */
  breaches: readonly string[];
  /** The names of all effects of functions, in their order. */
  effects: readonly string[];
  /** The effect that the fault struck. */
  struck: string | undefined;
  simulatedSeconds: number;
}

/** A step that takes longer is stuck: the sweep has come round several times. */
const PATIENCE_MILLISECONDS = 45 * 60_000;
const POLL_MILLISECONDS = 5_000;
/** What may still go on after the last object has gone, such as an instance that shuts down. */
const SETTLE_MILLISECONDS = 60_000;
const READ = ['Cluster', 'KubeadmControlPlane', 'MachineDeployment', 'Machine', 'AWSMachine', 'Event'];

/** Everything that a life notes while it goes on. */
const makeNotes = (now: () => number) => {
  const begin = now();
  const transcript: string[] = [];
  const breaches = new Set<string>();
  const elapsed = (): number => (now() - begin) / 1000;
  const say = (text: string): void => void transcript.push(`${elapsed().toFixed(3).padStart(9)} ${text}`);
  const accuse = (found: readonly string[]): void => {
    for (const breach of found) {
      if (!breaches.has(breach)) say(`BREACH ${breach}`);
      breaches.add(breach);
    }
  };
  return { begin, transcript, breaches, elapsed, say, accuse };
};

type Notes = ReturnType<typeof makeNotes>;

const makeWorld = (notes: Notes, adversary: ReturnType<typeof makeAdversary>, outdir: string): Promise<World> => {
  const { say, accuse } = notes;
  watchEdge({
    sends: (sending) => {
      const { what, invocation } = sending;
      if (what.isEffect) say(`${invocation.process.name}#${invocation.process.number} ${what.name}`);
      const before = adversary.struck;
      adversary.carry(sending);
      if (adversary.struck !== before) say(`FAULT at ${adversary.struck}`);
    },
    prints: ({ process }, text) => accuse(secretBreach(`the log of ${process.name}`, text)),
  });
  return startWorld({
    outdir,
    told: {
      invoked: (invocation) => {
        const { process, event } = invocation;
        const { name, number } = process;
        say(`${name}#${number} begins ${purposeOf(invocation)}`);
        if (name !== 'Windlass-api') accuse(secretBreach(`an event for ${name}`, JSON.stringify(event ?? null)));
      },
      answered: ({ process: { name, number } }, failure) =>
        failure && say(`${name}#${number} fails: ${failure.errorType}: ${failure.errorMessage}`),
    },
    calls: { onRequest: (call) => call.functionName && adversary.admit(call) },
    onFunctionLog: () => {},
  });
};

/** What a user can read: no secret, and no generation that goes back. */
const readAll = async (user: User, { accuse }: Notes, generations: ReturnType<typeof makeGenerations>) => {
  for (const kind of READ)
    for (const object of (await user.list(kind)) ?? []) {
      accuse(generations(object));
      accuse(secretBreach(`${kind} ${object.metadata.name}`, JSON.stringify(object)));
    }
};

export const playLife = async (virtual: VirtualProcess, options: LifeOptions): Promise<Life> => {
  const { scheduler } = virtual;
  virtual.restart(options.seed);
  const notes = makeNotes(scheduler.now);
  const { say, accuse } = notes;
  const adversary = makeAdversary(options.fault, scheduler.now);
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    ended.catch(() => undefined); // it is awaited below
    await scheduler.run(() => isDone, scheduler.now() + PATIENCE_MILLISECONDS);
    return ended;
  };
  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => void scheduler.after(milliseconds, resolve));

  const world = await during(makeWorld(notes, adversary, options.outdir));
  const { account } = world.laptop;
  const before = inventoryOf(account);
  const user = makeUser(world, wait);
  const generations = makeGenerations();
  let sizes = options.sizes;
  scheduler.onStep = () => accuse(instanceBreaches(account, sizes));

  const until = async (what: string, missing: () => Promise<string | undefined>): Promise<boolean> => {
    const deadline = scheduler.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      const found = await during(missing());
      if (found === undefined) return true;
      if (scheduler.now() > deadline) accuse([`stuck: ${what}: ${found}`]);
      // Nothing is learnt from what follows a breach.
      if (notes.breaches.size > 0) return false;
      await during(wait(POLL_MILLISECONDS));
    }
  };
  const take = async (step: Step): Promise<boolean> => {
    say(`USER ${step.name}`);
    // While machines come and go, there may be as many as before or after.
    sizes = { ...step.sizes, workers: Math.max(sizes.workers, step.sizes.workers) };
    await during(step.act(user, world));
    const isDone = await until(step.name, () => whatIsMissing(user, step.sizes));
    sizes = step.sizes;
    await during(readAll(user, notes, generations));
    return isDone;
  };

  const live = async (): Promise<void> => {
    for (const step of storyOf(options.story, options.sizes)) if (!(await take(step))) return;
    say('USER delete');
    await during(user.remove('Cluster', 'quickstart'));
    const isGone = await until('delete', async () => {
      const clusters = await user.list('Cluster');
      return clusters?.length === 0 ? undefined : 'the cluster is still there';
    });
    if (!isGone) return;
    await during(wait(SETTLE_MILLISECONDS));
    accuse(remains(before, inventoryOf(account)));
    for (const { name, input, output = '' } of world.laptop.runtime.executions())
      accuse(secretBreach(`the execution ${name}`, `${input} ${output}`));
  };

  // What a user is refused, and what nobody has foreseen, is a breach like others: it has a seed and a transcript.
  await live().catch((error: unknown) => accuse([`the life ended: ${error}`]));
  say('END');
  const { transcript } = notes;
  const simulatedSeconds = notes.elapsed();
  scheduler.onStep = undefined;
  await during(world.stop());
  return {
    transcript,
    hash: createHash('sha256').update(transcript.join('\n')).digest('hex'),
    breaches: [...notes.breaches],
    effects: adversary.effects,
    struck: adversary.struck,
    simulatedSeconds,
  };
};
