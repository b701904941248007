import type { Clock } from '../clock.ts';
import { createRemembered, type Remembered } from './remembered.ts';

/**
 * What was read for an owner lately, through a port over AWS. A write through the port makes what it may have changed be
 * read again, one that fails everything. Nothing may rest on it but the number of calls.
 */
export interface PortMemory<P> {
  /**
   * The port by which the owner's things are read and written. `turn` names the last round of writes that anybody has
   * recorded for the owner: what was read before it is forgotten.
   */
  of(owner: string, turn: string, port: P): P;
  /** The round that was recorded last is our own: what is remembered from the one before it stays. */
  follow(owner: string, before: string, turn: string): void;
  forget(owner: string): void;
}

export interface PortMemoryOptions<P> {
  clock: Pick<Clock, 'now'>;
  /** So long an answer is taken for the present. */
  seconds: number;
  /** The reads that are remembered; others whose names begin with `describe` always ask. */
  reads: readonly (keyof P & string)[];
  /** Which reads each write may change; one that is not named may change all of them. */
  changes: Readonly<Partial<Record<keyof P & string, readonly (keyof P & string)[]>>>;
}

/** What is known of one owner, by the read. */
interface Known {
  turn: string;
  answers: Map<string, Remembered<unknown>>;
}

/** More owners than one process works for at a time. */
const MOST_OWNERS = 50;

type Method = (...input: unknown[]) => Promise<unknown>;

const makeOwners = () => {
  const owners = new Map<string, Known>();
  /** Those who work for an owner at the same time share what is known, and what is forgotten. */
  const at = (owner: string): Known => {
    const known = owners.get(owner) ?? { turn: '', answers: new Map() };
    owners.delete(owner);
    if (owners.size >= MOST_OWNERS) owners.delete([...owners.keys()][0] ?? '');
    owners.set(owner, known);
    return known;
  };
  const forget = (owner: string, reads?: readonly string[]): void => {
    const { answers } = at(owner);
    for (const read of reads ?? [...answers.keys()]) answers.delete(read);
  };
  return { at, forget };
};

/** A memory for ports of one kind, which lives as long as the function's process. */
export const createPortMemory = <P extends object>(options: PortMemoryOptions<P>): PortMemory<P> => {
  const { at, forget } = makeOwners();
  const reads: readonly string[] = options.reads;
  const changes: Readonly<Record<string, readonly string[] | undefined>> = options.changes;
  const reading =
    (owner: string, name: string, method: Method): Method =>
    (...input) => {
      const { answers } = at(owner);
      const known = answers.get(name) ?? createRemembered<unknown>(options);
      answers.set(name, known);
      return known.get(JSON.stringify(input), () => method(...input));
    };
  const writing =
    (owner: string, name: string, method: Method): Method =>
    async (...input) => {
      try {
        const answer = await method(...input);
        forget(owner, changes[name]);
        return answer;
      } catch (error) {
        // Whether it happened is not known, or the memory was wrong.
        forget(owner);
        throw error;
      }
    };
  const wrap = (owner: string, name: string, method: Method): Method => {
    if (reads.includes(name)) return reading(owner, name, method);
    return name.startsWith('describe') ? method : writing(owner, name, method);
  };
  return {
    of: (owner, turn, port) => {
      const known = at(owner);
      if (known.turn !== turn) forget(owner);
      known.turn = turn;
      const methods = Object.entries(port as Record<string, Method>);
      return Object.fromEntries(methods.map(([name, method]) => [name, wrap(owner, name, method)])) as P;
    },
    follow: (owner, before, turn) => {
      const known = at(owner);
      if (known.turn !== before) forget(owner);
      known.turn = turn;
    },
    forget: (owner) => forget(owner),
  };
};
