/**
 * When a process is quiet: nothing of it can go on before something happens that the simulation decides. What goes on by
 * itself is of two kinds. Callbacks and promises are run by turns of the event loop until none is left. What works on
 * another thread (files that are read, keys that are made) ends in an order that nobody decides; it is waited for.
 */

const nextTurn = globalThis.setImmediate;

/** What Node.js names that may stay open for as long as the process lives: the standard streams and the parent. */
const LASTING = new Set(['TTYWrap', 'PipeWrap', 'MessagePort', 'ProcessWrap', 'SignalWrap']);

/** What would be decided outside of the simulation: sockets, names, real timers, other threads. */
const OUTSIDE = /^(TCP|UDP|Timeout$|GetAddrInfo|GetNameInfo|QueryReq|Worker)/;

/** Throws where the program has reached past the simulation. */
const isBusy = (): boolean => {
  const busy = process.getActiveResourcesInfo().filter((name) => !LASTING.has(name));
  const outside = busy.find((name) => OUTSIDE.test(name));
  if (outside) throw new Error(`the program reached past the simulation: it has a ${outside}`);
  return busy.length > 0;
};

/** Work that goes on, in the order in which it began; each settles with what hands over its result. */
const working: Promise<() => void>[] = [];

/** The result of work on another thread, handed over when nothing else goes on, in the order in which work began. */
export const inOrder = <T>(work: Promise<T>): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const done = work.then(
    (value) => () => resolve(value),
    (error: unknown) => () => reject(error),
  );
  working.push(done);
  return promise;
};

/** Resolves when the process is quiet. */
export const quiet = async (): Promise<void> => {
  for (;;) {
    await new Promise<void>((resolve) => nextTurn(resolve));
    if (isBusy()) continue;
    const first = working.shift();
    if (first === undefined) return;
    (await first)();
  }
};
