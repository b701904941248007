import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const FORK = new URL('./fork.ts', import.meta.url).href;

/** The output of a program that can copy itself, in a separate process in which V8 uses no other threads. */
const printed = async (program: string): Promise<string> => {
  const script = `
    import koffi from 'koffi';
    import { openForks } from '${FORK}';
    const libc = koffi.load('libc.so.6');
    const mmap = libc.func('uint64_t mmap(uint64_t, uint64_t, int, int, int, int64_t)');
    const mprotect = libc.func('int mprotect(uint64_t, uint64_t, int)');
    const { fork, exit } = openForks();
    const end = (code) => {
      const made = fork();
      if (made.isCopy) exit(code);
      return made.status >> 8;
    };
    ${program}`;
  const args = ['--single-threaded', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  return stdout.trim();
};

const isLinux = process.platform === 'linux';

it.runIf(isLinux)('makes copies one after the other, each of which ends with its own code', async () => {
  expect(await printed('console.log([3, 0, 7].map(end).join())')).toBe('3,0,7');
});

it.runIf(isLinux)('copies a process with thousands of mappings, as one with a large heap has', async () => {
  const program = `
    const [page, pages, read, readWrite, privateAnonymous] = [4096, 6000, 1, 3, 0x22];
    const first = BigInt(mmap(0, page * pages, read, privateAnonymous, -1, 0));
    for (let at = 0; at < pages; at += 2) mprotect(first + BigInt(at * page), page, readWrite);
    console.log(end(5));`;
  expect(await printed(program)).toBe('5');
});
