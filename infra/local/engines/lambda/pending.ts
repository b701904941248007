import type { Clock } from '../../../../shared/clock.ts';
import { type FunctionError, failureNamed } from './failure.ts';

/**
 * The receiver of a streaming function's output. `chunk` resolves when more can be accepted; `isLast` if no more
 * follows.
 */
export interface ChunkReader {
  chunk(bytes: Uint8Array, isLast: boolean): Promise<void> | void;
}

interface Invocation {
  resolve(payload: string): void;
  reject(error: Error): void;
  reader?: ChunkReader;
  /** Bytes that the reader has read but that were not reported to the worker yet. */
  read: number;
  timer: AbortController;
}

/** A single reason for all aborts: an abort without one creates an error with its stack each time. */
const ENDED = new Error('the invocation has ended');

/** The running invocations, each with its time limit. */
export const makePending = (clock: Clock, abandon: (id: number) => void) => {
  const invocations = new Map<number, Invocation>();
  let lastId = 0;

  const take = (id: number): Invocation | undefined => {
    const found = invocations.get(id);
    invocations.delete(id);
    found?.timer.abort(ENDED);
    return found;
  };

  const limit = async (id: number, seconds: number, signal: AbortSignal): Promise<void> => {
    await clock.sleep(seconds * 1000, signal);
    abandon(id);
    take(id)?.reject(failureNamed('Sandbox.Timedout', `Task timed out after ${seconds}.00 seconds`));
  };

  return {
    /** A new invocation; `answer` settles when it has ended or its time is over. */
    add: (seconds: number, reader?: ChunkReader): { id: number; answer: Promise<string> } => {
      lastId += 1;
      const id = lastId;
      const { promise: answer, resolve, reject } = Promise.withResolvers<string>();
      const timer = new AbortController();
      invocations.set(id, { resolve, reject, reader, read: 0, timer });
      limit(id, seconds, timer.signal).catch(() => undefined); // it ended in time
      return { id, answer };
    },
    find: (id: number): Pick<Invocation, 'reader' | 'read'> | undefined => invocations.get(id),
    succeed: (id: number, payload: string): void => take(id)?.resolve(payload),
    fail: (id: number, error: FunctionError): void => take(id)?.reject(error),
    failAll: (error: FunctionError): void => {
      for (const id of [...invocations.keys()]) take(id)?.reject(error);
    },
  };
};
