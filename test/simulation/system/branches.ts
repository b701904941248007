/** Single faults of one life: at the effect of each fault the process is copied, and the copy goes on with the fault. */
import type { Fault } from './fault-kinds.ts';
import type { Forks } from './virtual/fork.ts';

/** What a process plays beside a life. */
export interface Branches {
  /** Each at the number of an effect. */
  faults: readonly Fault[];
  /** What the life without a fault has after each step: a life that has the same is not played further. */
  expected: readonly string[];
}

export interface Brancher {
  /** To be called at each effect: what happens at it, which is something in a copy only. */
  at(effect: number): readonly Fault[];
  /** In a copy, its fault. */
  readonly fault: Fault | undefined;
  /** Whether nothing is left to be copied: the life itself need not go on. */
  readonly isOver: boolean;
}

/** `onEnd`: told how each copy has ended, as waitpid(2) tells it. */
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
