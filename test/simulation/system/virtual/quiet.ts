/**
 * Determines when a process is quiet: nothing can continue before an event that the simulation controls. There are two
 * kinds of pending work. Callbacks and promises run in turns of the event loop until none is left. Work on other
 * threads (reading files, generating keys) ends in an uncontrolled order, so it is awaited.
 */

const nextTurn = globalThis.setImmediate;

/**
 * Node.js's names of handles that may stay open during the lifetime of the process: the standard streams and the
 * connection to the parent process.
 */
const LASTING = new Set(['TTYWrap', 'PipeWrap', 'MessagePort', 'ProcessWrap', 'SignalWrap']);

/** Work that the simulation does not control: sockets, name resolution, real timers, other threads. */
const OUTSIDE = /^(TCP|UDP|Timeout$|GetAddrInfo|GetNameInfo|QueryReq|Worker)/;

/** Throws if the program has accessed anything outside the simulation. */
const isBusy = (): boolean => {
  const busy = process.getActiveResourcesInfo().filter((name) => !LASTING.has(name));
  const outside = busy.find((name) => OUTSIDE.test(name));
  if (outside) throw new Error(`the program reached past the simulation: it has a ${outside}`);
  return busy.length > 0;
};

/** Pending work, in the order in which it was started. Each entry settles with a function that delivers its result. */
const working: Promise<() => void>[] = [];

/**
 * Delivers the results of work on other threads when nothing else is pending, in the order in which the work was
 * started.
 */
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
