import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockIn } from './lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'windlass-lock-'));
});

const MODULE = JSON.stringify(join(import.meta.dirname, 'lock.ts'));

/** A process that takes the lock, reports it, and holds it until its input ends or it is killed. */
const holder = async () => {
  const program = `
    const { lockIn } = await import(${MODULE});
    const { readSync } = await import('node:fs');
    lockIn(${JSON.stringify(directory)}, () => {})('saw', () => {
      process.stdout.write('held');
      readSync(0, Buffer.alloc(1));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
};

/** A process that repeatedly increments a number in a file, slowly. */
const counter = async (file: string, times: number): Promise<void> => {
  const program = `
    const { lockIn } = await import(${MODULE});
    const { readFileSync, writeFileSync } = await import('node:fs');
    const lock = lockIn(${JSON.stringify(directory)}, () => {});
    for (let turn = 0; turn < ${times}; turn += 1) lock('saw', () => {
      const read = Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      writeFileSync(${JSON.stringify(file)}, String(read + 1));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
};

describe('the lock of a tool', () => {
  it('admits one process at a time', async () => {
    const file = join(directory, 'number');
    writeFileSync(file, '0');
    await Promise.all([counter(file, 20), counter(file, 20), counter(file, 20)]);
    expect(readFileSync(file, 'utf8')).toBe('60');
  });

  it('reports that it is waiting, and gives up with the name of the file', async () => {
    const child = await holder();
    const said: string[] = [];
    const lock = lockIn(directory, (line) => said.push(line), 50);

    expect(() => lock('saw', () => 'mine')).toThrow(/another process .*saw\.lock/);
    expect(said).toEqual(['waiting for another run, which provides saw']);
    expect(lock('plane', () => 'mine')).toBe('mine');
    child.stdin.end('x');
    await once(child, 'exit');
    expect(lock('saw', () => 'mine')).toBe('mine');
  });

  it('is released when its process is killed', async () => {
    const child = await holder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lockIn(directory, () => {}, 50)('saw', () => 'mine')).toBe('mine');
  });

  it('is released when the work fails, and the error is passed on', () => {
    const lock = lockIn(directory, () => {}, 50);
    const fail = () => {
      throw new Error('no network');
    };
    expect(() => lock('saw', fail)).toThrow('no network');
    expect(lock('saw', () => 'mine')).toBe('mine');
  });
});
