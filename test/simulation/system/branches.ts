/**
 * Single faults of one lifecycle: at the effect of each fault the process is copied, and the copy continues with the
 * fault.
 */
import type { Fault } from './fault-kinds.ts';
import type { Expected } from './rejoin.ts';
import type { Forks } from './virtual/fork.ts';

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
        const made = fork();
        if (!made.isCopy) onEnd(fault, made.status);
        else own = fault;
      }
      return own.effect === effect ? [own] : [];
    },
  };
};
