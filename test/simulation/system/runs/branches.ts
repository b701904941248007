/**
 * Copies of one lifecycle. At the effect of each single fault, the process is copied, and the copy continues with the
 * fault. With random changes, there is one copy for each seed at the start of the changes.
 */
import type { Fault } from '../faults/kinds.ts';
import type { Expected } from '../states/rejoin.ts';
import type { Forks } from '../virtual/fork.ts';

/**
 * Ends a copy if V8 mapped memory between the last check of the mappings and the fork, because V8 does not support
 * forks.
 */
const SIGSEGV = 11;
const SIGNAL_BITS = 0x7f;
/** This happened once in thousands of copies. No defect under test can cause it, so another copy may succeed. */
const ATTEMPTS = 3;

/** The copies that a process runs in addition to its own lifecycle. */
export interface Branches {
  /** Faults, each at the number of an effect. */
  faults: readonly Fault[];
  /** The lifecycle without faults. A copy that takes the same course again is not continued. */
  expected: Expected;
}

/** The properties of a copy. */
export type Own = { readonly faults: readonly Fault[] } | { readonly seed: number };

export interface Brancher {
  /** Must be called at each effect. In a copy, returns the fault that occurs at it. */
  at(effect: number): readonly Fault[];
  /** Must be called where random changes begin. In a copy, returns their seed. */
  seed(): number | undefined;
  /** In a copy, the difference between its job and that of the original. */
  readonly own: Own | undefined;
  /** Whether all copies have been made, so that the lifecycle itself need not continue. */
  readonly isOver: boolean;
}

type Forking = Pick<Forks, 'fork'>;

/**
 * Returns true in the copy, and false in this process when the copy has ended. `onEnd` gets its status, as returned by
 * waitpid(2).
 */
const isCopyOf = ({ fork }: Forking, onEnd: (status: number) => void): boolean => {
  for (let attempt = 1; ; attempt++) {
    const made = fork();
    if (made.isCopy) return true;
    if ((made.status & SIGNAL_BITS) === SIGSEGV && attempt < ATTEMPTS) continue;
    onEnd(made.status);
    return false;
  }
};

/** `onEnd` is called with the status of each copy that has ended, as returned by waitpid(2). */
export const makeBrancher = (
  forks: Forking,
  faults: readonly Fault[],
  onEnd: (own: Own, status: number) => void,
): Brancher => {
  const open = [...faults];
  let fault: Fault | undefined;
  return {
    get own() {
      return fault && { faults: [fault] };
    },
    get isOver() {
      return open.length === 0;
    },
    seed: () => undefined,
    at: (effect) => {
      while (fault === undefined) {
        const index = open.findIndex((one) => one.effect === effect);
        const [next] = index < 0 ? [] : open.splice(index, 1);
        if (next === undefined) return [];
        if (isCopyOf(forks, (status) => onEnd({ faults: [next] }, status))) fault = next;
      }
      return fault.effect === effect ? [fault] : [];
    },
  };
};

/** Makes one copy for each seed, where the random changes begin. `onEnd` is called as above. */
export const makeSeedBrancher = (
  forks: Forking,
  seeds: readonly number[],
  onEnd: (own: Own, status: number) => void,
): Brancher => {
  const open = [...seeds];
  let own: Own | undefined;
  return {
    get own() {
      return own;
    },
    get isOver() {
      return open.length === 0 && own === undefined;
    },
    at: () => [],
    seed: () => {
      for (let seed = open.shift(); seed !== undefined; seed = open.shift()) {
        const next = { seed };
        if (!isCopyOf(forks, (status) => onEnd(next, status))) continue;
        own = next;
        return seed;
      }
      return undefined;
    },
  };
};
