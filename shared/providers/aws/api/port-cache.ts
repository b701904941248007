import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../clock.ts';
import { createRemembered, type Remembered } from './remembered.ts';

/**
 * Recent reads of an owner, through a port to AWS. A write through the port drops the responses that it may have
 * changed; a failed write drops all of them. Only the number of calls may depend on the cache.
 */
export interface PortCache<P> {
  /**
   * The port with which the owner's resources are read and written. `turn` identifies the last recorded round of writes
   * for the owner: everything that was read before it is dropped.
   */
  of(owner: string, turn: string, port: P): P;
  /** Says that the last recorded round is this process's own: what is cached from the round before is kept. */
  follow(owner: string, before: string, turn: string): void;
  forget(owner: string): void;
  /** When the oldest cached response of the owner was read; undefined if nothing is cached. */
  oldestAt(owner: string): Date | undefined;
}

type Input<P, M extends keyof P> = P[M] extends (...input: infer I) => unknown ? I : never;
type Answer<P, M extends keyof P> = P[M] extends (...input: never[]) => Promise<infer A> ? A : never;

/** The effects of completed writes on the cached reads: what they have created, and how. */
export type CacheUpdates<P> = Readonly<
  Partial<{ [W in keyof P & string]: (answers: CachedAnswers<P>, made: Answer<P, W>, ...input: Input<P, W>) => void }>
>;

export interface PortCacheOptions<P> {
  clock: Pick<Clock, 'now'>;
  /** How long a response counts as current. */
  seconds: number;
  /** The reads that are cached. Other reads whose names begin with `describe` always query AWS. */
  reads: readonly (keyof P & string)[];
  /** Responses that will soon change on their own, and are requested again. */
  passing?: Readonly<Partial<{ [R in keyof P & string]: (answer: Answer<P, R>) => boolean }>>;
  /** The reads that each write may affect. A write that is not listed may affect all of them. */
  invalidates: Readonly<Partial<Record<keyof P & string, readonly (keyof P & string)[]>>>;
  /** The effects of these writes are known: cached responses are updated, and not read again. */
  updates?: CacheUpdates<P>;
}

/** The cached responses of one owner, which a write may change. */
export interface CachedAnswers<P> {
  /** Caches the response to a read with this input. */
  put<R extends keyof P & string>(read: R, input: Input<P, R>, answer: Answer<P, R>): void;
  /** Applies the change to each cached response of the read. Drops those for whose input there is no change. */
  update<R extends keyof P & string>(
    read: R,
    revision: (...input: Input<P, R>) => ((answer: Answer<P, R>) => Answer<P, R>) | undefined,
  ): void;
  forget(...reads: (keyof P & string)[]): void;
}

/** The cached responses of one owner, by read. */
interface Known {
  turn: string;
  answers: Map<string, Remembered<unknown>>;
}

/**
 * While a cluster is being created, passes follow each other within seconds. Changes by others in the meantime are
 * detected in the same way as by the sweep.
 */
export const CACHE_SECONDS = 300;

/** More owners than one process works for concurrently. */
const MOST_OWNERS = 50;

type Method = (...input: unknown[]) => Promise<unknown>;

const makeOwners = () => {
  const owners = new LRUCache<string, Known>({ max: MOST_OWNERS });
  /** Concurrent work for an owner shares what is cached and what is dropped. */
  const at = (owner: string): Known => {
    const known = owners.get(owner) ?? { turn: '', answers: new Map() };
    owners.set(owner, known);
    return known;
  };
  const forget = (owner: string, reads?: readonly string[]): void => {
    const { answers } = at(owner);
    for (const read of reads ?? [...answers.keys()]) answers.delete(read);
  };
  return { at, forget };
};

type Owners = ReturnType<typeof makeOwners>;

type Passing = Readonly<Record<string, ((answer: unknown) => boolean) | undefined>>;

/** The responses to one read, by its input as JSON. */
const answersTo =
  ({ at }: Owners, { clock, seconds }: Pick<PortCacheOptions<unknown>, 'clock' | 'seconds'>, passing: Passing) =>
  (owner: string, read: string): Remembered<unknown> => {
    const { answers } = at(owner);
    const isPassing = passing[read];
    const isKept = isPassing ? (answer: unknown) => !isPassing(answer) : () => true;
    const known = answers.get(read) ?? createRemembered<unknown>({ clock, seconds, isKept });
    answers.set(read, known);
    return known;
  };

const answersOf = <P>(owners: Owners, to: ReturnType<typeof answersTo>, owner: string): CachedAnswers<P> => ({
  put: (read, input, answer) => to(owner, read).put(JSON.stringify(input), answer),
  update: (read, revision) =>
    to(owner, read).revise((key) => revision(...JSON.parse(key)) as ((answer: unknown) => unknown) | undefined),
  forget: (...reads) => owners.forget(owner, reads),
});

/** A cache for ports of one kind, which lasts as long as the function's process. */
export const createPortCache = <P extends object>(options: PortCacheOptions<P>): PortCache<P> => {
  const owners = makeOwners();
  const { at, forget } = owners;
  const to = answersTo(owners, options, (options.passing ?? {}) as Passing);
  const reads: readonly string[] = options.reads;
  const invalidates: Readonly<Record<string, readonly string[] | undefined>> = options.invalidates;
  const updates = options.updates as
    | Readonly<Record<string, ((answers: CachedAnswers<P>, made: unknown, ...input: unknown[]) => void) | undefined>>
    | undefined;
  const reading =
    (owner: string, name: string, method: Method): Method =>
    (...input) =>
      to(owner, name).get(JSON.stringify(input), () => method(...input));
  const writing =
    (owner: string, name: string, method: Method): Method =>
    async (...input) => {
      try {
        const answer = await method(...input);
        const update = updates?.[name];
        if (update) update(answersOf<P>(owners, to, owner), answer, ...input);
        else forget(owner, invalidates[name]);
        return answer;
      } catch (error) {
        // It is unknown whether the write took effect, or the cache was wrong.
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
    oldestAt: (owner) => {
      const times = [...at(owner).answers.values()].flatMap((one) => one.oldest() ?? []);
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },
  };
};
