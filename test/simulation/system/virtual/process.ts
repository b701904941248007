/**
 * A process isolated from the outside. To be imported before anything that keeps a reference to a built-in function.
 */
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import { patchFiles } from './files.ts';
import { patchNetwork } from './network.ts';
import { patchRandomness } from './randomness.ts';
import { makeScheduler, type Scheduler } from './scheduler.ts';
import { patchTime } from './timers.ts';

/**
 * TLS checks certificates by the clock of the computer, which cannot be replaced. So virtual time begins near it, on
 * the first day of the previous month; transcripts count times from there.
 */
const startOf = (today: Date): number => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);

const START = startOf(new Date());

/** A packet takes between one and five milliseconds. */
const LEAST_LATENCY = 1;
const LATENCY_RANGE = 4;

/**
 * Each sequence of packets has numbers of its own, so that an additional packet on one of them does not change the
 * others.
 */
const PACKETS = 7919;

export interface VirtualProcess {
  scheduler: Scheduler;
  /** How long each packet of a sequence takes, in milliseconds, in the current run. */
  latencyOf(line: number): () => number;
  /** Begins a run: the clock, the random source, the ports and the due items are as at the first start. */
  restart(seed: number): void;
}

/** `isAlive`: whether what began in the current asynchronous context may continue. */
export const virtualize = (isAlive: () => boolean): VirtualProcess => {
  const scheduler = makeScheduler(START);
  let seeds = 1;
  patchTime(scheduler, isAlive);
  patchFiles();
  const reseed = patchRandomness();
  const latencyOf = (line: number): (() => number) => {
    const next = seededNumbers(seeds + line * PACKETS);
    return () => LEAST_LATENCY + Math.floor(next() * LATENCY_RANGE);
  };
  const closePorts = patchNetwork({
    now: scheduler.now,
    after: (milliseconds, act) => void scheduler.after(milliseconds, act),
    latencyOf,
  });
  return {
    ...{ scheduler, latencyOf },
    restart: (seed) => {
      scheduler.reset(START);
      seeds = seed;
      reseed(seed);
      closePorts();
    },
  };
};
