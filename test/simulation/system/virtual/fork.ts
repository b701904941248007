/**
 * Copies of a process, made with fork(2): a copy continues from the current point, with the same memory. Linux only,
 * and only with V8's flag `--single-threaded`, because threads are not copied, and work that V8 passes to a thread
 * would never be done. libuv starts its own threads again.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import koffi from 'koffi';

/** An argument of madvise(2). V8 excludes its heap from copies, because Node.js never forks. */
const MADV_DOFORK = 11;
/** Memory mappings without a file have this device. */
const ANONYMOUS = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ 00:00 /;
const LINE_END = 10;
/** Longer than the list of a process's mappings. */
const MAPS_BYTES = 4 * 1024 * 1024;

/** Writes the list of all mappings to a buffer. Returns its length. */
const readMaps = (into: Buffer): number => {
  const file = openSync('/proc/self/maps', 'r');
  let length = 0;
  for (let read = -1; read !== 0; length += read) read = readSync(file, into, length, into.length - length, null);
  closeSync(file);
  return length;
};

/** The kernel kills a copy that hangs after this many seconds. */
const PATIENCE_SECONDS = 900;

export type Fork = { isCopy: true } | { isCopy: false; status: number };

export interface Forks {
  /**
   * Makes a copy, and waits until it has ended. Returns in both processes. `status` is the one from waitpid(2); 0 means
   * success.
   */
  fork(): Fork;
  /** Ends a copy immediately, without running the process's exit handlers. */
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

  /** Two views of the mappings. They are allocated once, because V8 may map more memory for any allocation. */
  const views: [Buffer, Buffer] = [Buffer.alloc(MAPS_BYTES), Buffer.alloc(MAPS_BYTES)];
  const include = (maps: Buffer, length: number): void => {
    for (let at = 0; at < length; ) {
      const end = maps.indexOf(LINE_END, at);
      // Line by line: for a string of the complete list, V8 would map memory, so that the list would never be stable.
      const [, from, to] = ANONYMOUS.exec(maps.toString('latin1', at, end)) ?? [];
      if (from !== undefined && to !== undefined) {
        const start = BigInt(`0x${from}`);
        madvise(start, BigInt(`0x${to}`) - start, MADV_DOFORK);
      }
      at = end + 1;
    }
  };
  /** Repeats until the mappings have not changed since all of them were included. */
  const includeHeap = (): void => {
    let [last, next] = views;
    for (let length = readMaps(last); ; ) {
      include(last, length);
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
