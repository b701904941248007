/**
 * Copies of one lifecycle: at the effect of each single fault the process is copied, and the copy continues with the
 * fault; or where random changes begin, for each seed of theirs.
 */
import type { Fault } from '../faults/kinds.ts';
import type { Expected } from '../states/rejoin.ts';
import type { Forks } from '../virtual/fork.ts';

/** Ends a copy if V8 mapped memory between the last look at the mappings and the fork: it does not expect to be copied. */
const SIGSEGV = 11;
const SIGNAL_BITS = 0x7f;
/** That happened once in thousands of copies. Nothing that is judged can cause it, so another copy may do better. */
const ATTEMPTS = 3;

/** The copies that a process runs beside its own lifecycle. */
export interface Branches {
  /** Each at the number of an effect. */
  faults: readonly Fault[];
  /** The lifecycle without a fault: one that takes the same course again is not continued. */
  expected: Expected;
}

/** What a copy has for itself. */
export type Own = { readonly faults: readonly Fault[] } | { readonly seed: number };

export interface Brancher {
  /** To be called at each effect: returns the fault that happens at it, only in a copy. */
  at(effect: number): readonly Fault[];
  /** To be called where random changes begin: returns their seed, only in a copy. */
  seed(): number | undefined;
  /** In a copy, how its job differs from that of the original. */
  readonly own: Own | undefined;
  /** Whether no copy is left to be made: the lifecycle itself need not continue. */
  readonly isOver: boolean;
}

type Forking = Pick<Forks, 'fork'>;

/** Returns in the copy, and in this process when a copy has ended. `onEnd` gets its status, as returned by waitpid(2). */
const isCopyOf = ({ fork }: Forking, onEnd: (status: number) => void): boolean => {
  for (let attempt = 1; ; attempt++) {
    const made = fork();
    if (made.isCopy) return true;
    if ((made.status & SIGNAL_BITS) === SIGSEGV && attempt < ATTEMPTS) continue;
    onEnd(made.status);
    return false;
  }
};

/** `onEnd`: called with the status of each finished copy, as returned by waitpid(2). */
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

/** One copy for each seed, made where the random changes begin. `onEnd` as above. */
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
