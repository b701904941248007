import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providePythonClient } from './python-client.ts';
import type { RunTool, Tool } from './run-tool.ts';

const DIRECTORY = join('cache', 'python-client');
const PYTHON = join(DIRECTORY, 'bin', 'python');
const absent: Tool = { status: null, stdout: '', stderr: '' };
const success: Tool = { status: 0, stdout: '', stderr: '' };

/** A computer with or without Python. `pip` is the result of an installation. */
const computer = (hasPython: boolean, pip: Tool = success) => {
  const calls: string[] = [];
  let installed = false;
  const run: RunTool = (command, args) => {
    calls.push(`${command} ${args.join(' ')}`);
    if (command === 'python3') return hasPython ? success : absent;
    if (command === PYTHON) return installed ? success : absent;
    installed = pip.status === 0;
    return pip;
  };
  return { calls, provide: () => providePythonClient(() => {}, DIRECTORY, run) };
};

describe('the Python client of the conformance suites', () => {
  it('is installed once', () => {
    const { calls, provide } = computer(true);
    expect([provide(), provide()]).toEqual([PYTHON, PYTHON]);
    expect(calls.filter((call) => /pip install .*kubernetes==\d/.test(call))).toHaveLength(1);
  });

  it('is reported as required if it cannot be installed', () => {
    expect(computer(false).provide).toThrow(/needs Python 3/);
    const refused = { status: 1, stdout: '', stderr: 'no network' };
    expect(computer(true, refused).provide).toThrow(/kubernetes==.* could not be installed: .*no network/s);
  });
});
