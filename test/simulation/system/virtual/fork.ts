/**
 * Copies of a process, as fork(2) makes them: a copy goes on from where the process is, with all that it has in memory.
 * Linux only, and only with V8's flag `--single-threaded`: threads are not copied, and work that V8 hands to one of them
 * would never be done. libuv starts its own threads again.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import koffi from 'koffi';

/** Of madvise(2). V8 excludes its heap from copies, because Node.js never makes one. */
const MADV_DOFORK = 11;
/** Mappings of memory without a file have this device. */
const ANONYMOUS = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ 00:00 /gm;
/** More than the list of a process's mappings is long. */
const MAPS_BYTES = 4 * 1024 * 1024;

/** Writes the list of all mappings into a buffer; returns its length. */
const readMaps = (into: Buffer): number => {
  const file = openSync('/proc/self/maps', 'r');
  let length = 0;
  for (let read = -1; read !== 0; length += read) read = readSync(file, into, length, into.length - length, null);
  closeSync(file);
  return length;
};

/** A copy that hangs is ended by the kernel after so many seconds. */
const PATIENCE_SECONDS = 900;

export type Fork = { isCopy: true } | { isCopy: false; status: number };

export interface Forks {
  /** Makes a copy, and waits until it has ended. Both return from here. `status`: as waitpid(2) tells it; 0 is success. */
  fork(): Fork;
  /** Ends a copy at once: nothing that the process has registered for its own end is run. */
  exit(code: number): void;
}

export const openForks = (): Forks => {
  const libc = koffi.load('libc.so.6');
  const node = koffi.load(null);
  const madvise = libc.func('int madvise(uint64_t, uint64_t, int)');
  const fork = libc.func('int fork()');
  const waitpid = libc.func('int waitpid(int, _Out_ int *, int)');
  const alarm = libc.func('uint32_t alarm(uint32_t)');
  const exit = libc.func('void _exit(int)');
  const defaultLoop = node.func('void *uv_default_loop()');
  const loopFork = node.func('int uv_loop_fork(void *)');

  /** Two views of the mappings. They are made once, because V8 may map more memory for whatever is allocated. */
  const views: [Buffer, Buffer] = [Buffer.alloc(MAPS_BYTES), Buffer.alloc(MAPS_BYTES)];
  const include = (maps: string): void => {
    for (const [, from = '', to = ''] of maps.matchAll(ANONYMOUS)) {
      const start = BigInt(`0x${from}`);
      madvise(start, BigInt(`0x${to}`) - start, MADV_DOFORK);
    }
  };
  /** Until a look finds the mappings as they were when all of them were included. */
  const includeHeap = (): void => {
    let [last, next] = views;
    for (let length = readMaps(last); ; ) {
      include(last.toString('latin1', 0, length));
      const now = readMaps(next);
      if (now === length && last.compare(next, 0, now, 0, length) === 0) return;
      [last, next, length] = [next, last, now];
    }
  };
  return {
    fork: () => {
      includeHeap();
      const pid = fork() as number;
      if (pid < 0) throw new Error('fork(2) failed');
      if (pid > 0) {
        const status: [number] = [0];
        waitpid(pid, status, 0);
        return { isCopy: false, status: status[0] };
      }
      alarm(PATIENCE_SECONDS);
      if (loopFork(defaultLoop()) !== 0) exit(1);
      return { isCopy: true };
    },
    exit: (code) => void exit(code),
  };
};
