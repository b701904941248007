import type { Clock } from '../../../../shared/clock.ts';
import { type FunctionError, failureNamed } from './failure.ts';

/** Who receives what a streaming function writes. `chunk` resolves when it can take more. */
export interface ChunkReader {
  chunk(bytes: Uint8Array): Promise<void> | void;
}

interface Invocation {
  resolve(payload: string): void;
  reject(error: Error): void;
  reader?: ChunkReader;
  timer: AbortController;
}

/** The invocations that have not ended, each with its time limit. */
export const makePending = (clock: Clock, abandon: (id: number) => void) => {
  const invocations = new Map<number, Invocation>();
  let lastId = 0;

  const take = (id: number): Invocation | undefined => {
    const found = invocations.get(id);
    invocations.delete(id);
    found?.timer.abort();
    return found;
  };

  const limit = async (id: number, seconds: number, signal: AbortSignal): Promise<void> => {
    await clock.sleep(seconds * 1000, signal);
    abandon(id);
    take(id)?.reject(failureNamed('Sandbox.Timedout', `Task timed out after ${seconds}.00 seconds`));
  };

  return {
    /** A new invocation; `answer` settles when it has ended or its time is up. */
    add: (seconds: number, reader?: ChunkReader): { id: number; answer: Promise<string> } => {
      lastId += 1;
      const id = lastId;
      const { promise: answer, resolve, reject } = Promise.withResolvers<string>();
      const timer = new AbortController();
      invocations.set(id, { resolve, reject, reader, timer });
      limit(id, seconds, timer.signal).catch(() => undefined); // it ended in time
      return { id, answer };
    },
    readerOf: (id: number): ChunkReader | undefined => invocations.get(id)?.reader,
    succeed: (id: number, payload: string): void => take(id)?.resolve(payload),
    fail: (id: number, error: FunctionError): void => take(id)?.reject(error),
    failAll: (error: FunctionError): void => {
      for (const id of [...invocations.keys()]) take(id)?.reject(error);
    },
  };
};
