/**
 * Single faults of one lifecycle: at the effect of each fault the process is copied, and the copy continues with the
 * fault.
 */
import type { Fault } from './fault-kinds.ts';
import type { Expected } from './rejoin.ts';
import type { Forks } from './virtual/fork.ts';

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

export interface Brancher {
  /** To be called at each effect: returns the fault that happens at it, only in a copy. */
  at(effect: number): readonly Fault[];
  /** In a copy, its fault. */
  readonly fault: Fault | undefined;
  /** Whether no copy is left to be made: the lifecycle itself need not continue. */
  readonly isOver: boolean;
}

/** `onEnd`: called with the status of each finished copy, as returned by waitpid(2). */
export const makeBrancher = (
  { fork }: Pick<Forks, 'fork'>,
  faults: readonly Fault[],
  onEnd: (fault: Fault, status: number) => void,
): Brancher => {
  const open = [...faults];
  let own: Fault | undefined;
  /** Returns in the copy, and in this process when a copy has ended. */
  const isCopy = (fault: Fault): boolean => {
    for (let attempt = 1; ; attempt++) {
      const made = fork();
      if (made.isCopy) return true;
      if ((made.status & SIGNAL_BITS) === SIGSEGV && attempt < ATTEMPTS) continue;
      onEnd(fault, made.status);
      return false;
    }
  };
  return {
    get fault() {
      return own;
    },
    get isOver() {
      return open.length === 0;
    },
    at: (effect) => {
      while (own === undefined) {
        const index = open.findIndex((fault) => fault.effect === effect);
        const [fault] = index < 0 ? [] : open.splice(index, 1);
        if (fault === undefined) return [];
        if (isCopy(fault)) own = fault;
      }
      return own.effect === effect ? [own] : [];
    },
  };
};
