/** One lifecycle of a cluster with its planned faults, from the first object to complete removal. */
import { createHash } from 'node:crypto';
import type { Machine } from '../../../shared/kinds/index.ts';
import { makeScene } from './actors/happenings.ts';
import { makeDisturbances } from './disturbances/step.ts';
import type { Fault } from './faults/kinds.ts';
import type { LifeOptions, Setting } from './life-options.ts';
import { makeNotes, type Notes } from './notes.ts';
import { makeCourse } from './states/course.ts';
import { storedObjects } from './states/objects.ts';
import { INCOMPLETE, type Moment } from './states/rejoin.ts';
import { makeServiceMirror } from './states/service-mirror.ts';
import { headIn, headOf, remainingItems, settledState } from './states/settled.ts';
import { accountIdOf } from './stories/spoke.ts';
import type { Step } from './stories/step.ts';
import { storyOf } from './stories/stories.ts';
import { surgeOf } from './stories/story-names.ts';
import { openTable } from './table.ts';
import { CLUSTER, machinesIn, makeUser, mostOf } from './user.ts';
import { makeCanaries } from './verdicts/canaries.ts';
import { executionBreaches, runningExecution } from './verdicts/executions.ts';
import {
  contentsOf,
  instanceBreaches,
  liveInstances,
  makeGenerations,
  networkBreaches,
  ownershipBreaches,
  remains,
} from './verdicts/judge.ts';
import { whatIsMissing, whatStepLacks } from './verdicts/missing.ts';
import { ownClusters, quorumBreaches } from './verdicts/quorum.ts';
import { readAll } from './verdicts/readable.ts';
import { recordBreaches } from './verdicts/records.ts';
import { sweepBreaches } from './verdicts/swept.ts';
import { isAgain, whatIsLeft } from './verdicts/what-is-left.ts';
import type { VirtualProcess } from './virtual/process.ts';
import { makeWaiting } from './waiting.ts';
import { type WatchedWorld, watchWorld } from './watched-world.ts';

export interface Life {
  transcript: readonly string[];
  /** The hash of the transcript. */
  hash: string;
  /** Violations. */
  breaches: readonly string[];
  /** The names of all effects of functions, in order. */
  effects: readonly string[];
  /** The faults that occurred, as `<kind> at <effect>`. */
  struck: readonly string[];
  /** The faults that had nothing to do when their effect was reached. */
  idle: readonly string[];
  /** After each step of the story, the number of resources of each kind in the account, and the objects. */
  settled: readonly string[];
  /** The cost of the lifecycle after each step of the story. */
  costs: readonly Cost[];
  /** The states in the middle of steps, if they are recorded. */
  moments: readonly Moment[];
  /** The state at which this lifecycle has rejoined the one without faults. */
  rejoined?: Moment | undefined;
  /** The number of effects before each step of the story, and before the deletion. */
  begins: readonly number[];
  /** It was not continued, because it has rejoined the one without faults, or had the same state after a step. */
  isCut: boolean;
  /** Calls of functions to AWS, including reads. */
  calls: number;
  simulatedSeconds: number;
}

export interface Cost {
  calls: number;
  seconds: number;
}

/** A free step also waits until no more executions start. */
const FREE_MILLISECONDS = 60 * 60_000;
/** Long enough for the first sweep of an hour to release objects that have been in deletion for an hour. */
const RELEASE_MILLISECONDS = 2.5 * 3_600_000;
/** When a step is done, this much time is left for late requests, and for instances that are shutting down. */
const SETTLE_MILLISECONDS = 60_000;
/** Faults after which there may be two VPCs or internet gateways until a sweep removes one. */
const DOUBLING = /^(delivered twice|arrives minutes late|stale for minutes) /;
/** Faults after which the sweep may have to delete bootstrap data, too. */
const SWEPT = /^(delivered twice|arrives minutes late|stale for minutes|AWS refuses)[ ,]/;
/** Within this time, a sweep touches the clusters of writes that their process has not finished. */
const SWEPT_MINUTES = 20;

export const playLife = async (
  virtual: VirtualProcess,
  options: LifeOptions,
  { branching, isRecorded = false, settled: wantedStates = [] }: Setting = {},
): Promise<Life> => {
  const { scheduler } = virtual;
  virtual.restart(options.seed);
  const notes = makeNotes(scheduler.now);
  const { say, accuse } = notes;
  const canaries = makeCanaries();
  let isRejoined = (): boolean => false;
  const { brancher, expected = { settled: wantedStates, moments: [] } } = branching ?? {};
  /** Whether this is a copy with a fault. */
  const isFaulty = (): boolean => brancher?.own !== undefined && 'faults' in brancher.own;
  /** Whether all copies of this process have ended. Only their results are needed, so it need not continue. */
  const isSpent = (): boolean => !isFaulty() && brancher?.isOver === true;
  const { during, wait, until } = makeWaiting({ scheduler, notes, isOver: () => isRejoined() || isSpent() });

  let isActing = false;
  let generations = makeGenerations();
  const onRestored = (): void => {
    say('RESTORED');
    generations = makeGenerations();
  };
  const { outdir, former, faults = [], seed } = options;
  const scene = makeScene({ wait, accuse, onRestored, seed, isActing: () => isActing });
  const accountId = accountIdOf(options.story);
  const random = makeDisturbances(options, {
    scene,
    wait,
    say,
    accuse,
    seed: () => (brancher ? brancher.seed() : options.seed),
  });
  const faultsAt = (effect: number): readonly Fault[] => [...(brancher?.at(effect) ?? []), ...random.faultsAt(effect)];
  const watched = await during(
    watchWorld({ outdir, former, accountId, faults, faultsAt, seed, notes, canaries, scene, scheduler }),
  );
  const { world } = watched;
  const { account } = world;
  const story = random.story ?? storyOf(options.story, options.sizes);
  for (const { prepare } of story) await during(prepare?.() ?? Promise.resolve());
  const inventory = (): string[] => [...new Set([account, world.laptop.account])].flatMap(contentsOf);
  const before = inventory();
  const user = makeUser(world, wait);
  const table = openTable();
  scene.enter(world, user, table);
  let sizes = options.sizes;
  const services = makeServiceMirror();
  const course = makeCourse({
    ...{ watched, notes, services, isRecorded, expected: expected.moments },
    isCompared: () => isStruck() && !watched.adversary.isBusy() && scene.state.open === 0,
  });
  isRejoined = () => course.rejoined !== undefined;
  const isSwept = (): boolean => watched.adversary.struck.some((one) => SWEPT.test(one));
  const isDoubled = (): boolean => watched.adversary.struck.some((one) => DOUBLING.test(one));
  let stage = '';
  scheduler.onStep = () => {
    services.follow(world.laptop.clusters());
    course.look(stage);
    accuse(instanceBreaches(account, sizes, scene.state.extraInstances + surgeOf(options.story)));
    accuse(random.instanceBreaches());
    // EC2 has no client token for these calls. If a second one is made or arrives, the sweep removes what it created.
    if (!isDoubled() && !scene.state.hasTwin) accuse(networkBreaches(account));
    // The deletion of a cluster also deletes its etcd.
    const isExcused = stage === 'delete' || scene.state.isDeleted;
    if (!isExcused) accuse(quorumBreaches(ownClusters(account, world.laptop.clusters())));
  };
  const settled: string[] = [];
  const costs: Cost[] = [];
  const begins: number[] = [];

  const isStruck = (): boolean => (isFaulty() || !brancher) && watched.adversary.hasMet();
  /** Waits until an operator has finished a restoration. False if that takes too long. */
  const restored = (): Promise<boolean> =>
    until('restore', async () => (scene.state.isRestoring ? 'it is not finished' : undefined));
  /** Waits for another tenant, whose resources do not belong to a step. False if that takes too long. */
  const left = (): Promise<boolean> =>
    until('leave', async () => (scene.state.isAttacked ? 'the editor goes on' : undefined));
  /** Waits until copies, which do not belong to the state after a step, are released. False if that takes too long. */
  const released = (): Promise<boolean> =>
    until('release', async () => (scene.state.hasCopies ? 'a copy is still there' : undefined), RELEASE_MILLISECONDS);
  const act = async (step: Step): Promise<void> => {
    isActing = true;
    await step.act(user, world).catch((error: unknown) => {
      if (!scene.state.isDeleted) throw error;
    });
    isActing = false;
  };
  /** Whether there is work after a fault, which may have occurred when the step was already done. */
  const isRunning = (): boolean =>
    watched.adversary.hasMet() && runningExecution(world.laptop.runtime.executions()) !== undefined;
  /** The state at the end of a step, after the sweep has removed duplicates. A copy waits for all remaining work. */
  const settle = async ({ isOfControlPlane, isUnseen, isFree }: Step): Promise<string> => {
    if (isOfControlPlane && (await during(whatIsMissing(user, { sizes }))) !== undefined) return INCOMPLETE;
    const lost = (): string[] => recordBreaches(account, storedObjects());
    if (isUnseen && lost().length > 0) return INCOMPLETE;
    const wanted = expected.settled[settled.length];
    const isDifferent = (): boolean => {
      const [[counts, ...rest], [wantedCounts, ...wantedRest]] = [headOf(account), headIn(wanted ?? '')];
      return (isSwept() && counts !== wantedCounts) || rest.join() !== wantedRest.join();
    };
    const isOpen = (): boolean => remainingItems(scheduler.now()).includes('pledge') || isDifferent();
    const found = (): string[] => [...networkBreaches(account), ...lost()];
    const isLeft = (): boolean => found().length > 0 || isRunning() || (isStruck() && wanted !== undefined && isOpen());
    for (let waited = 0; isLeft() && waited < SWEPT_MINUTES; waited += 1) await during(wait(SETTLE_MILLISECONDS));
    accuse(found());
    // All machines exist, so those that events have added are gone or counted. After random changes, these are as many
    // as the objects want, which may be more than in the story, and no other may be added.
    const kept = isFree ? Math.max(0, liveInstances(account).length - machinesIn(sizes)) : 0;
    if (scene.state.open === 0) scene.state.extraInstances = kept;
    return during(settledState(account, user, services.objects()));
  };
  /** Waits until everything exists, and remains so for some time. */
  const complete = async (step: Step): Promise<boolean> => {
    const lacks = async (): Promise<string | undefined> => {
      if (scene.state.isDeleted) return undefined;
      if (scene.state.open > 0) return 'something else still happens';
      return whatStepLacks(step, { user, world, isSwept: options.isSwept });
    };
    const isDone = await until(step.name, lacks, step.isFree ? FREE_MILLISECONDS : undefined);
    // Until the end of the step, there may be as many machines as before it, even if a copy rejoins its original.
    if (isDone) ({ sizes } = step);
    await during(readAll({ user, canaries, generations, accuse }));
    if (!isDone || course.rejoined) return false;
    await during(wait(SETTLE_MILLISECONDS));
    // Another event may have happened meanwhile.
    return scene.state.open === 0 || complete(step);
  };
  const take = async (step: Step): Promise<boolean> => {
    stage = step.name;
    say(`USER ${step.name}`);
    begins.push(watched.adversary.effects.length);
    // While machines are created and deleted, there may be as many as before or after.
    sizes = mostOf(sizes, step.sizes);
    await during(act(step));
    const isDone = await complete(step);
    if (course.rejoined || isSpent()) return false;
    if (!(await left()) || !(await restored()) || !(await released())) return false;
    if (!scene.state.isDeleted) settled.push(await settle(step));
    costs.push({ calls: watched.calls(), seconds: notes.elapsed() });
    if (options.isSwept) accuse(await during(sweepBreaches(world, step.name, wait)));
    if (isDone && !scene.state.isDeleted)
      accuse(ownershipBreaches(account, await during(user.list<Machine>('Machine'))));
    return isDone;
  };

  /** Whether the rest would be the same as without the fault. */
  const isSettled = (): boolean =>
    isStruck() && settled.length > 0 && settled.at(-1) === expected.settled[settled.length - 1];
  const end = async (): Promise<void> => {
    // Resources without an object would remain.
    if (!(await restored())) return;
    stage = 'delete';
    say('USER delete');
    begins.push(watched.adversary.effects.length);
    if (!scene.state.isDeleted || (await during(isAgain(user)))) await during(user.remove('Cluster', CLUSTER));
    if (!(await until('delete', () => whatIsLeft(user, world)))) return;
    await during(wait(SETTLE_MILLISECONDS));
    while (watched.adversary.isBusy()) await during(wait(SETTLE_MILLISECONDS));
    accuse(remains(before, inventory()));
  };
  let isCut = false;
  const live = async (): Promise<void> => {
    for (const step of story) {
      if (scene.state.isDeleted) break;
      if (!(await take(step))) return;
      isCut = isFaulty() && isSettled();
      if (isCut) return;
    }
    await end();
  };

  // A refused request of a user or an unexpected error is a violation like others, with a seed and a transcript.
  await live().catch((error: unknown) => accuse([`the life ended: ${error}`]));
  accuse(executionBreaches(world.laptop.runtime.executions(), canaries));
  const { moments, rejoined } = course;
  if (rejoined) say(`REJOINS the lifecycle without the fault at ${rejoined.seconds} seconds`);
  say('END');
  scheduler.onStep = undefined;
  table.close();
  const simulatedSeconds = notes.elapsed();
  // A copy shares the files of its original, and ends anyway.
  if (brancher?.own === undefined) await during(world.stop());
  const found = { settled, costs, begins, moments, rejoined, isCut: isCut || rejoined !== undefined };
  return { ...lifeOf(notes, watched), ...found, simulatedSeconds };
};

const lifeOf = ({ transcript, breaches }: Notes, { adversary, calls }: WatchedWorld) => ({
  transcript,
  hash: createHash('sha256').update(transcript.join('\n')).digest('hex'),
  breaches: [...breaches],
  effects: adversary.effects,
  struck: adversary.struck,
  idle: adversary.idle,
  calls: calls(),
});
