/** One lifecycle of a cluster, from the first object to complete removal, with its planned faults. */
import { createHash } from 'node:crypto';
import type { Brancher } from './branches.ts';
import type { Fault } from './fault-kinds.ts';
import { makeScene } from './happenings.ts';
import {
  instanceBreaches,
  inventoryOf,
  makeGenerations,
  networkBreaches,
  ownershipBreaches,
  remains,
  secretBreach,
} from './judge.ts';
import { makeNotes, type Notes } from './notes.ts';
import { settledState } from './settled.ts';
import { type Step, storyOf, whatIsMissing } from './stories.ts';
import type { StoryName } from './story-names.ts';
import { openTable } from './table.ts';
import { CLUSTER, makeUser, type Sizes, type User } from './user.ts';
import type { VirtualProcess } from './virtual/process.ts';
import { type WatchedWorld, watchWorld } from './watched-world.ts';
import type { World } from './world.ts';

export interface LifeOptions {
  seed: number;
  story: StoryName;
  sizes: Sizes;
  faults?: readonly Fault[];
  /** The cloud assembly. */
  outdir: string;
}

/** Copies of the process, each of which continues with a fault of its own. */
export interface Branching {
  brancher: Brancher;
  /** The state of the lifecycle without a fault after each step. */
  expected: readonly string[];
}

export interface Life {
  transcript: readonly string[];
  /** Of the transcript. */
  hash: string;
  /** Violations. */
  breaches: readonly string[];
  /** The names of all effects of functions, in order. */
  effects: readonly string[];
  /** The faults that occurred, as `<kind> at <effect>`. */
  struck: readonly string[];
  /** The contents of the account after each step of the story, as numbers of each kind of resource. */
  settled: readonly string[];
  /** The cost of the lifecycle after each step of the story. */
  costs: readonly Cost[];
  /** How many effects there were before each step of the story, and before the deletion. */
  begins: readonly number[];
  /** It reached the state of the lifecycle without a fault again, and was not continued. */
  isCut: boolean;
  /** Calls of functions to AWS, including reads. */
  calls: number;
  simulatedSeconds: number;
}

export interface Cost {
  calls: number;
  seconds: number;
}

/** A step that takes longer is stuck: the sweep has run several times. */
const PATIENCE_MILLISECONDS = 45 * 60_000;
const POLL_MILLISECONDS = 5_000;
/** What may still be in progress when a step is done: requests that arrive late, an instance that shuts down. */
const SETTLE_MILLISECONDS = 60_000;
const READ = ['Cluster', 'KubeadmControlPlane', 'MachineDeployment', 'Machine', 'AWSMachine', 'Event'];
/** What a deletion removes. */
const OWNED = ['Machine', 'AWSMachine', 'KubeadmConfig', 'MachineSet', 'AWSCluster', 'KubeadmControlPlane', 'Secret'];

/** Checks what a user can read: no secret, and no generation that decreases. */
const readAll = async (user: User, { accuse }: Notes, generations: ReturnType<typeof makeGenerations>) => {
  for (const kind of READ)
    for (const object of (await user.list(kind)) ?? []) {
      accuse(generations(object));
      accuse(secretBreach(`${kind} ${object.metadata.name}`, JSON.stringify(object)));
    }
};

/** What still exists of a deleted cluster; undefined if nothing does. */
const whatIsLeft = async (user: User, world: World): Promise<string | undefined> => {
  // First what costs no request: the whole system handles a request to the API, and most of a lifecycle is waiting.
  const execution = world.laptop.runtime.executions().find(({ status }) => status === 'RUNNING');
  if (execution) return `the execution ${execution.name} still runs`;
  if ((await user.list('Cluster'))?.length !== 0) return 'the cluster is still there';
  for (const kind of OWNED) {
    const [object] = (await user.list(kind)) ?? [];
    if (object) return `the ${kind} ${object.metadata.name} is still there`;
  }
  return undefined;
};

export const playLife = async (virtual: VirtualProcess, options: LifeOptions, branching?: Branching): Promise<Life> => {
  const { scheduler } = virtual;
  virtual.restart(options.seed);
  const notes = makeNotes(scheduler.now);
  const { say, accuse } = notes;
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

  let isActing = false;
  let generations = makeGenerations();
  const onRestored = (): void => {
    say('RESTORED');
    generations = makeGenerations();
  };
  const scene = makeScene({ wait, accuse, onRestored, isActing: () => isActing });
  const { outdir, faults = [] } = options;
  const { brancher, expected = [] } = branching ?? {};
  const faultsAt = (effect: number): readonly Fault[] => brancher?.at(effect) ?? [];
  const watched = await during(watchWorld({ outdir, faults, faultsAt, notes, scene, scheduler }));
  const { world } = watched;
  const { account } = world.laptop;
  const before = inventoryOf(account);
  const user = makeUser(world, wait);
  const table = openTable();
  scene.enter(world, user, table);
  let sizes = options.sizes;
  scheduler.onStep = () =>
    accuse([...instanceBreaches(account, sizes, scene.state.extraInstances), ...networkBreaches(account)]);
  const settled: string[] = [];
  const costs: Cost[] = [];
  const begins: number[] = [];

  const until = async (what: string, missing: () => Promise<string | undefined>): Promise<boolean> => {
    const deadline = scheduler.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      const found = await during(missing());
      if (found === undefined) return true;
      if (scheduler.now() > deadline) accuse([`stuck: ${what}: ${found}`]);
      // What follows a violation proves nothing.
      if (notes.breaches.size > 0) return false;
      await during(wait(POLL_MILLISECONDS));
    }
  };
  /** An operator finishes a restoration before anything else. False if it does not end. */
  const restored = (): Promise<boolean> =>
    until('restore', async () => (scene.state.isRestoring ? 'it is not finished' : undefined));
  const act = async (step: Step): Promise<void> => {
    isActing = true;
    await step.act(user, world).catch((error: unknown) => {
      if (!scene.state.isDeleted) throw error;
    });
    isActing = false;
  };
  const take = async (step: Step): Promise<boolean> => {
    say(`USER ${step.name}`);
    begins.push(watched.adversary.effects.length);
    // While machines are created and deleted, there may be as many as before or after.
    sizes = { ...step.sizes, workers: Math.max(sizes.workers, step.sizes.workers) };
    await during(act(step));
    const isDone = await until(step.name, async () => {
      if (scene.state.isDeleted) return undefined;
      return scene.state.open > 0 ? 'something else still happens' : whatIsMissing(user, step.sizes);
    });
    sizes = step.sizes;
    await during(readAll(user, notes, generations));
    if (isDone) await during(wait(SETTLE_MILLISECONDS));
    // The resources of another tenant's cluster are not those of the step.
    if (!(await until('leave', async () => (scene.state.isAttacked ? 'the editor goes on' : undefined)))) return false;
    if (!(await restored())) return false;
    if (!scene.state.isDeleted) settled.push(await during(settledState(account, user, table)));
    costs.push({ calls: watched.calls(), seconds: notes.elapsed() });
    if (isDone && !scene.state.isDeleted)
      accuse(ownershipBreaches(account, (await during(user.list('Machine'))) ?? []));
    return isDone;
  };

  /** The rest would be as without the fault, or is not requested. */
  const isSettled = (): boolean =>
    brancher?.fault === undefined
      ? brancher?.isOver === true
      : watched.adversary.struck.length > 0 && settled.length > 0 && settled.at(-1) === expected[settled.length - 1];
  const end = async (): Promise<void> => {
    // What has no object would stay.
    if (!(await restored())) return;
    say('USER delete');
    begins.push(watched.adversary.effects.length);
    if (!scene.state.isDeleted) await during(user.remove('Cluster', CLUSTER));
    if (!(await until('delete', () => whatIsLeft(user, world)))) return;
    await during(wait(SETTLE_MILLISECONDS));
    accuse(remains(before, inventoryOf(account)));
    for (const { name, input, output = '' } of world.laptop.runtime.executions())
      accuse(secretBreach(`the execution ${name}`, `${input} ${output}`));
  };
  let isCut = false;
  const live = async (): Promise<void> => {
    for (const step of storyOf(options.story, options.sizes)) {
      if (scene.state.isDeleted) break;
      if (!(await take(step))) return;
      isCut = isSettled();
      if (isCut) return;
    }
    await end();
  };

  // A refusal of a user's request, or an unexpected error, is a violation like others: it has a seed and a transcript.
  await live().catch((error: unknown) => accuse([`the life ended: ${error}`]));
  say('END');
  scheduler.onStep = undefined;
  table.close();
  const simulatedSeconds = notes.elapsed();
  // A copy shares the files of its original, and ends anyway.
  if (brancher?.fault === undefined) await during(world.stop());
  return { ...lifeOf(notes, watched), settled, costs, begins, isCut, simulatedSeconds };
};

const lifeOf = ({ transcript, breaches }: Notes, { adversary, calls }: WatchedWorld) => ({
  transcript,
  hash: createHash('sha256').update(transcript.join('\n')).digest('hex'),
  breaches: [...breaches],
  effects: adversary.effects,
  struck: adversary.struck,
  calls: calls(),
});
