/**
 * Isolates a process from the outside. Must be imported before anything that keeps a reference to a built-in function.
 */
import { seededNumbers } from '../../../../shared/seeded-random.ts';
import { patchFiles } from './files.ts';
import { patchNetwork } from './network.ts';
import { patchRandomness } from './randomness.ts';
import { makeScheduler, type Scheduler } from './scheduler.ts';
import { patchTime } from './timers.ts';

/**
 * TLS checks certificates against the computer's clock, which cannot be replaced. Therefore virtual time starts close
 * to it, on the first day of the previous month, from which transcripts count.
 */
const startOf = (today: Date): number => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);

const START = startOf(new Date());

/** A packet takes between one and five milliseconds. */
const LEAST_LATENCY = 1;
const LATENCY_RANGE = 4;

/**
 * Separates the seeds of the sequences of packets, so that an additional packet in one of them does not affect the
 * others.
 */
const PACKETS = 7919;

export interface VirtualProcess {
  scheduler: Scheduler;
  /** The latency of each packet of a sequence in milliseconds, in the current run. */
  latencyOf(line: number): () => number;
  /** Starts a new run: resets the clock, the random source, the ports and the due items. */
  restart(seed: number): void;
}

/** `isAlive` returns whether the work of the current asynchronous context may continue. */
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
